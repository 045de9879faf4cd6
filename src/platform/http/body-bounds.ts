/** How large bodies of single routes may be, so that nobody without credentials has much read for nothing. */
import type { RouteOptions } from 'fastify';

const KB = 1_024;

/** Bytes, by the beginning of the address; any other route takes what the service takes. */
const BOUNDS: readonly (readonly [address: string, bytes: number])[] = [
  ['/v1/webhooks/payment', 64 * KB],
  ['/v1/webhooks/billing', 64 * KB],
  ['/v1/webhooks/email', 256 * KB],
  ['/v1/workspace/', 64 * KB],
];

/** Bounds the route where it is one of these. For Fastify's onRoute hook. */
export function boundBody(route: RouteOptions): void {
  const bound = BOUNDS.find(([address]) => route.url.startsWith(address));
  if (bound) [, route.bodyLimit] = bound;
}
