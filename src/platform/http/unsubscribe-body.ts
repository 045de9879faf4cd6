/**
 * Parses requests to links that stop mail. RFC 8058: the URL alone decides, so no body is rejected, whatever its type,
 * length or content. Forms of our own page are parsed.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';

const LINKS: readonly string[] = [
  '/v1/public/unsubscribe',
  '/v1/public/reports/stop',
  '/v1/public/reports/confirm',
];
const FORM = 'application/x-www-form-urlencoded';
/** Internal content types that select the parsers below for these routes. */
const LINK_FORM = 'application/vnd.waypost.unsubscribe-form';
const LINK_BODY = 'application/vnd.waypost.unsubscribe-body';
const MAX_FORM_BYTES = 65_536;

type Done = (error: Error | null, form?: URLSearchParams) => void;

export function addUnsubscribeParsers(instance: FastifyInstance): void {
  instance.addContentTypeParser(LINK_FORM, readForm);
  instance.addContentTypeParser(LINK_BODY, discardBody);
}

/** Makes these routes use the parsers above. For Fastify's onRoute hook. */
export function acceptAnyBody(route: RouteOptions): void {
  if (LINKS.includes(route.url)) route.onRequest = setBodyType;
}

function setBodyType(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  const { headers } = request.raw;
  const isForm = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === FORM;
  headers['content-type'] = isForm ? LINK_FORM : LINK_BODY;
  done();
}

/** Parses a form. One that is longer than any form of our page counts as empty. */
function readForm(_request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const parts: Buffer[] = [];
  let size = 0;
  const onChunk = (part: Buffer): void => {
    size += part.length;
    parts.push(part);
    if (size > MAX_FORM_BYTES) finish(null);
  };
  const finish = (form: URLSearchParams | null): void => {
    payload
      .off('data', onChunk)
      .off('end', onEnd)
      .off('error', done)
      .on('error', () => undefined);
    payload.resume();
    done(null, form ?? undefined);
  };
  const onEnd = (): void => finish(new URLSearchParams(Buffer.concat(parts).toString('utf8')));
  payload.on('data', onChunk).once('end', onEnd).once('error', done);
}

function discardBody(_request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  payload.resume();
  done(null);
}
