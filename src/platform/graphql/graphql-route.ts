/** Limits of the GraphQL route that apply to every query: body size and response time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';
import { withCallerSignal } from '../database/caller-signal.js';

export const GRAPHQL_PATH = '/graphql';

const BODY_LIMIT = 256 * 1024;
const TIMEOUT_SECONDS = 10;

/** Sets the limits of the GraphQL route. For Fastify's onRoute hook. */
export function limitGraphqlRoute(route: RouteOptions): void {
  if (route.url !== GRAPHQL_PATH) return;
  route.bodyLimit = BODY_LIMIT;
  route.preHandler = abortOnTimeout;
}

/**
 * Responds to a request that exceeds its time limit, and cancels its remaining reads: those that wait for a permit, and
 * lists and searches that resolvers would start later. Running statements have their own timeout. Does the same if the
 * client disconnects. Fastify's own handlerTimeout ends when the body has been read, before the resolvers start.
 */
function abortOnTimeout(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const caller = new AbortController();
  const timer = setTimeout(() => {
    caller.abort();
    if (reply.sent) return;
    const detail = `The query took longer than ${TIMEOUT_SECONDS} s and was cancelled: request less data.`;
    void reply.send(new DomainError('service_unavailable', detail, { retry_after: TIMEOUT_SECONDS }));
  }, TIMEOUT_SECONDS * 1_000);
  reply.raw.once('close', () => {
    clearTimeout(timer);
    if (!reply.raw.writableFinished) caller.abort();
  });
  withCallerSignal(caller.signal, () => requestIds.run(request.id, done));
}

const requestIds = new AsyncLocalStorage<string>();

/** The id of the current request; undefined outside the route. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
