/**
 * Fastify as this service wants it: limits on what is read, ids for requests, and our shape for the errors that
 * happen before any route is found. Keeps sections 7 and 8.3 of the specification.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';
import { CONNECTION_BOUNDS, type ConnectionBounds, serverOptionsOf } from '../network/connection-bounds.js';
import { errorBody } from './error.filter.js';
import { takeJsonBody } from './json-body.js';
import { addUnsubscribeParsers } from './unsubscribe-body.js';
import { newRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
import { isUploading, isUploadRoute } from './upload.js';

const MEGABYTE = 1024 * 1024;
const FORM_LIMIT = 65_536;
const FORM = 'application/x-www-form-urlencoded';
const FORM_WITH_PARTS = 'multipart/form-data';
export const BODY_LIMIT = 5 * MEGABYTE;

/** Longest part of a path, such as a signed token. */
const LONGEST_PARAMETER = 1024;

/** Longer than the idle time of usual load balancers (60 s), so that they close a connection and not we. */
const KEEP_ALIVE_MS = 72_000;

/** The adapter that Nest is created with. */
export function createHttpAdapter(bounds: ConnectionBounds = CONNECTION_BOUNDS): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: bounds.requestMs,
    http: serverOptionsOf(bounds),
    forceCloseConnections: 'idle',
    // While closing, requests on open connections are still answered; see drain.ts.
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // No Nest middleware is used; its engine would cost every request.
    skipMiddie: true,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
  });
  const instance = adapter.getInstance();
  instance.removeContentTypeParser('text/plain');
  // Keeps the bytes as they came beside the value: signed webhooks are checked against them.
  adapter.useBodyParser('application/json', true, { bodyLimit: BODY_LIMIT }, takeJsonBody);
  // Nest would read forms itself.
  adapter.useBodyParser(FORM, false, { bodyLimit: FORM_LIMIT }, refuseForm);
  addUnsubscribeParsers(instance);
  instance.addContentTypeParser(FORM_WITH_PARTS, leaveForm);
  instance.addContentTypeParser('*', passOver);
  return adapter;
}

/** No route takes a form without parts but that of unsubscribe links; handlers of uploads say so themselves. */
function refuseForm(request: FastifyRequest, _body: Buffer, done: (error: Error | null) => void): void {
  done(isUploadRoute(request) ? null : unsupportedType());
}

/** A form with parts is left to the handlers of uploads as it comes. */
function leaveForm(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null) => void,
): void {
  if (isUploadRoute(request)) done(null);
  else passOver(request, payload, done);
}

/** No route takes bodies of other types, or of none that is named; handlers of uploads say so themselves. */
function passOver(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null) => void,
): void {
  payload.resume();
  done(isUploadRoute(request) ? null : unsupportedType());
}

function unsupportedType(): DomainError {
  return new DomainError('unsupported_media_type', 'Send the body as application/json.');
}

/** The router cannot read the address: a broken escape, or a parameter that is too long. */
function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = new DomainError('validation_error', 'The URL of the request is malformed.');
  const status = error.statusCode ?? refusal.status;
  void reply
    .code(status)
    .header(REQUEST_ID_HEADER, request.id)
    .send(errorBody({ status, error: refusal, fault: false }, request.id));
}

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large.'],
  [REQUEST_TIMEOUT]: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** What comes in is no HTTP at all, or not in time. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === REQUEST_TIMEOUT && isUploading(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = CLIENT_ERRORS[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not valid HTTP.',
  ];
  const id = newRequestId();
  const body = JSON.stringify({ ...new DomainError('validation_error', detail).body(), request_id: id });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-ID: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
