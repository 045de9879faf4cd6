/**
 * Which pages of other origins may speak with the API from a browser: those that CORS_ORIGINS names, and none unless it does.
 * Credentials are headers that a page writes itself; cookies are never let along.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownRoutes } from './known-routes.js';

/** What a page may send beside what every page may. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-Workspace-ID',
  'X-API-Key',
  'X-Environment',
  'X-Request-ID',
  'Apollo-Require-Preflight',
].join(', ');

/** What a page may read of an answer beside its body. */
const ANSWER_HEADERS = [
  'X-Request-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Content-Disposition',
].join(', ');

/** Seconds for which a browser need not ask again. */
const MAX_AGE = 600;

/**
 * Lets pages of these origins in. Call before the routes are served, behind the hook that says the strict headers.
 * @param origins as browsers write them: scheme, host, and the port where it is not the scheme's own.
 */
export function admitOrigins(
  instance: FastifyInstance,
  origins: readonly string[],
  routes: KnownRoutes,
): void {
  if (origins.length === 0) return;
  const admitted = new Set(origins);
  instance.addHook('onRequest', (request, reply, done) => {
    // Whoever keeps answers must not show one page's to another.
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !admitted.has(origin)) {
      done();
      return;
    }
    reply.header('access-control-allow-origin', origin);
    const methods = isPreflight(request) ? routes.methodsOf(request.url) : [];
    if (methods.length > 0) answerPreflight(reply, methods);
    else {
      reply.header('access-control-expose-headers', ANSWER_HEADERS);
      done();
    }
  });
}

/** A browser's question beforehand, which brings no credentials, so that no guard could answer it. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(reply: FastifyReply, methods: readonly string[]): void {
  void reply
    .code(204)
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', MAX_AGE)
    .send();
}
