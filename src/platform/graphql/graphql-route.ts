/** Bounds of the GraphQL route that hold before a query is even read: its body, and the time until its answer. */
import type { RouteOptions } from 'fastify';

export const GRAPHQL_PATH = '/graphql';

const BODY_LIMIT = 256 * 1024;
const TIMEOUT_MS = 10_000;

/** Bounds the route if it is the one of GraphQL. For Fastify's onRoute hook. */
export function boundGraphqlRoute(route: RouteOptions): void {
  if (route.url !== GRAPHQL_PATH) return;
  route.bodyLimit = BODY_LIMIT;
  route.handlerTimeout = TIMEOUT_MS;
}
