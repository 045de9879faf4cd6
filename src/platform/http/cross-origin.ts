/**
 * CORS: the pages of origins in CORS_ORIGINS may call the API from a browser; by default none may. Credentials are
 * headers that the page sets itself; cookies are never allowed.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownRoutes } from './known-routes.js';

/** Request headers that a page may send in addition to the CORS-safelisted ones. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-Workspace-ID',
  'X-API-Key',
  'X-Environment',
  'X-Request-ID',
  'Apollo-Require-Preflight',
].join(', ');

/** Response headers that a page may read. */
const RESPONSE_HEADERS = [
  'X-Request-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Content-Disposition',
].join(', ');

/** Seconds for which a browser may cache a preflight response. */
const MAX_AGE_SECONDS = 600;

/**
 * Allows pages of these origins. Call before the routes are registered and after the hook that sets the strict headers.
 * @param origins as browsers send them: scheme, host, and the port unless it is the scheme's default.
 */
export function allowOrigins(
  instance: FastifyInstance,
  origins: readonly string[],
  routes: KnownRoutes,
): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  instance.addHook('onRequest', (request, reply, done) => {
    // Caches must not serve one origin's response to another.
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) {
      done();
      return;
    }
    reply.header('access-control-allow-origin', origin);
    const methods = isPreflight(request) ? routes.methodsOf(request.url) : [];
    if (methods.length > 0) answerPreflight(reply, methods);
    else {
      reply.header('access-control-expose-headers', RESPONSE_HEADERS);
      done();
    }
  });
}

/** A preflight request. It carries no credentials, so it must be answered before the guards. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(reply: FastifyReply, methods: readonly string[]): void {
  void reply
    .code(204)
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', MAX_AGE_SECONDS)
    .send();
}
