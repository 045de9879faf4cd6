/**
 * Counts the requests that never reach the guard: bodies that cannot be read, paths that do not exist, wrong methods.
 * They fall under their address's window, and their answers carry its headers like every other (section 8.1).
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { assertAllowed, rateHeaders, RateLimitService } from '../application/rate-limit.service.js';
import { classOf } from '../domain/endpoint.js';

const COUNTED = 'x-ratelimit-limit';

/** Adds the hook. Call once, between the application's creation and `init` or `listen`. */
export function countStrayRequests(app: NestFastifyApplication): void {
  const rates = app.get(RateLimitService);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (request, reply, payload, done) => {
      // What we cannot answer is held against nobody.
      const isCounted = reply.hasHeader(COUNTED) || reply.statusCode >= 500;
      const endpoint = isCounted ? undefined : classOf(request.method, pathOf(request));
      if (!endpoint) {
        done(null, payload);
        return;
      }
      // Real time: rate limits belong to HTTP, not to the product.
      const decision = rates.check({ kind: 'stranger', ip: request.ip }, endpoint, Date.now());
      void reply.headers(rateHeaders(decision));
      try {
        assertAllowed(decision);
        done(null, payload);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        void reply.code(error.status).header('retry-after', decision.retryAfter);
        done(null, JSON.stringify({ ...error.body(), request_id: request.id }));
      }
    });
}

function pathOf({ url }: FastifyRequest): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
