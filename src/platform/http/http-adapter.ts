/**
 * Configures Fastify: limits on input, request ids, and our error format for errors that occur before a route is found.
 * Implements sections 7 and 8.3 of the specification.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';
import { CONNECTION_LIMITS, type ConnectionLimits, serverOptionsOf } from '../network/connection-limits.js';
import { errorBody } from './error.filter.js';
import { receiveJsonBody } from './json-body.js';
import { addUnsubscribeParsers } from './unsubscribe-body.js';
import { newRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
import { isUploading, isUploadRoute } from './upload.js';

const MEGABYTE = 1024 * 1024;
const FORM_LIMIT = 65_536;
const FORM = 'application/x-www-form-urlencoded';
const FORM_WITH_PARTS = 'multipart/form-data';
export const BODY_LIMIT = 5 * MEGABYTE;

/** Maximum length of a path segment, such as a signed token. */
const MAX_PARAMETER_LENGTH = 1024;

/** Longer than the usual idle timeout of load balancers (60 s), so that they close a connection and not this server. */
const KEEP_ALIVE_MS = 72_000;

/** The adapter for creating the Nest application. */
export function createHttpAdapter(limits: ConnectionLimits = CONNECTION_LIMITS): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: limits.requestMs,
    http: serverOptionsOf(limits),
    forceCloseConnections: 'idle',
    // Requests on open connections are still served during shutdown; see drain.ts.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // No Nest middleware is used, and its engine would add a cost to every request.
    skipMiddie: true,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
  });
  const instance = adapter.getInstance();
  instance.removeContentTypeParser('text/plain');
  // Keeps the raw bytes as well, because signatures of webhooks are verified against them.
  adapter.useBodyParser('application/json', true, { bodyLimit: BODY_LIMIT }, receiveJsonBody);
  // Otherwise Nest would parse forms itself.
  adapter.useBodyParser(FORM, false, { bodyLimit: FORM_LIMIT }, rejectForm);
  addUnsubscribeParsers(instance);
  instance.addContentTypeParser(FORM_WITH_PARTS, passForm);
  instance.addContentTypeParser('*', discardBody);
  return adapter;
}

/** Only unsubscribe links accept URL-encoded forms; upload handlers report the error themselves. */
function rejectForm(request: FastifyRequest, _body: Buffer, done: (error: Error | null) => void): void {
  done(isUploadRoute(request) ? null : unsupportedType());
}

/** Leaves a multipart form unread for the upload handlers. */
function passForm(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null) => void,
): void {
  if (isUploadRoute(request)) done(null);
  else discardBody(request, payload, done);
}

/** No route accepts other content types, or a body without one; upload handlers report the error themselves. */
function discardBody(
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

/** Handles a URL that the router cannot parse: an invalid escape, or a segment that is too long. */
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

/** Handles input that is not valid HTTP, or that arrives too slowly. */
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
