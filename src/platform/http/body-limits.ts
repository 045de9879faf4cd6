/** Body size limits of individual routes, so that unauthenticated callers cannot make the service read large bodies. */
import type { RouteOptions } from 'fastify';

const KB = 1_024;

/** Bytes by path prefix. Other routes have the general limit. */
const BODY_LIMITS: readonly (readonly [address: string, bytes: number])[] = [
  ['/v1/webhooks/payment', 64 * KB],
  ['/v1/webhooks/billing', 64 * KB],
  ['/v1/webhooks/email', 256 * KB],
  ['/v1/workspace/', 64 * KB],
];

/** Sets the limit of a matching route. For Fastify's onRoute hook. */
export function limitBody(route: RouteOptions): void {
  const limit = BODY_LIMITS.find(([address]) => route.url.startsWith(address));
  if (limit) [, route.bodyLimit] = limit;
}
