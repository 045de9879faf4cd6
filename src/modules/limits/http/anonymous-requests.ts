/**
 * Counts requests that never reach the guard: oversized bodies, unknown paths, wrong methods. They count in their
 * network's window, and their responses carry its headers like all others (section 8.1). If only failures count, as for
 * unsubscribing, that is decided when the response is known.
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { ClientNetworks } from '../../../platform/http/client-networks.js';
import { NetworkRates } from '../application/network-rates.js';
import { classOf } from '../domain/endpoint.js';
import { assertAllowed, rateHeaders } from '../domain/rate-decision.js';

const COUNTED_HEADER = 'x-ratelimit-limit';

/** Adds the hook. Call once, after the application is created and before `init` or `listen`. */
export function countAnonymousRequests(app: NestFastifyApplication): void {
  const rates = app.get(NetworkRates, { strict: false });
  const clients = app.get(ClientNetworks);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (request, reply, payload, done) => {
      const endpoint = reply.hasHeader(COUNTED_HEADER) ? undefined : classOf(request.method, pathOf(request));
      if (!endpoint) {
        done(null, payload);
        return;
      }
      const caller = { kind: 'stranger', network: clients.of(request) } as const;
      // Real time: rate limits belong to HTTP, not to the product.
      const now = Date.now();
      // Our own failures count against no caller.
      const isUncounted =
        reply.statusCode >= 500 || (endpoint.countsOnlyRejections && reply.statusCode < 400);
      if (isUncounted) {
        void reply.headers(rateHeaders(rates.peek(caller, now)));
        done(null, payload);
        return;
      }
      const decision = rates.check(caller, now);
      void reply.headers(rateHeaders(decision));
      try {
        assertAllowed(decision);
        done(null, payload);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        void reply
          .code(error.status)
          .header('retry-after', decision.retryAfter)
          .type('application/json; charset=utf-8');
        done(null, JSON.stringify({ ...error.body(), request_id: request.id }));
      }
    });
}

function pathOf({ url }: FastifyRequest): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
