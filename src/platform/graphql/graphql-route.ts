/** Bounds of the GraphQL route that hold whatever a query says: the size of its body, the time until its answer. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';
import { onBehalfOf } from '../database/caller-signal.js';

export const GRAPHQL_PATH = '/graphql';

const BODY_LIMIT = 256 * 1024;
const TIMEOUT_SECONDS = 10;

/** Bounds the route if it is the one of GraphQL. For Fastify's onRoute hook. */
export function boundGraphqlRoute(route: RouteOptions): void {
  if (route.url !== GRAPHQL_PATH) return;
  route.bodyLimit = BODY_LIMIT;
  route.preHandler = giveUpInTime;
}

/**
 * Answers a request whose time is over, and ends what it still wants to read: what waits for its turn, and the lists
 * and searches that resolvers would ask for from then on. Statements that run have an end of their own. The same when the
 * caller goes away. Fastify's own handlerTimeout ends with the reading of the body, before the resolvers begin.
 */
function giveUpInTime(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
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
  onBehalfOf(caller.signal, () => requestIds.run(request.id, done));
}

const requestIds = new AsyncLocalStorage<string>();

/** The id of the request in which this runs; undefined outside of the route. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
