/** Bounds of the GraphQL route that hold whatever a query says: the size of its body, the time until its answer. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';

export const GRAPHQL_PATH = '/graphql';

const BODY_LIMIT = 256 * 1024;
const TIMEOUT_SECONDS = 10;

/** Bounds the route if it is the one of GraphQL. For Fastify's onRoute hook. */
export function boundGraphqlRoute(route: RouteOptions): void {
  if (route.url !== GRAPHQL_PATH) return;
  route.bodyLimit = BODY_LIMIT;
  route.preHandler = giveUpInTime;
}

/** Fastify's own handlerTimeout ends with the reading of the body, before the resolvers begin. */
function giveUpInTime(_request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const timer = setTimeout(() => {
    if (reply.sent) return;
    const detail = `The query took longer than ${TIMEOUT_SECONDS} s and was given up: ask for less.`;
    void reply.send(new DomainError('service_unavailable', detail, { retry_after: TIMEOUT_SECONDS }));
  }, TIMEOUT_SECONDS * 1_000);
  reply.raw.once('close', () => clearTimeout(timer));
  done();
}
