/**
 * What resolvers of one request share: its HTTP request and reply, which the guards read, and its data loaders,
 * which turn the look-ups of many fields into one query.
 */
import type DataLoader from 'dataloader';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface GraphqlContext {
  readonly req: FastifyRequest;
  readonly res: FastifyReply;
  readonly loaders: Map<string, unknown>;
}

/** A fresh context: nothing of it outlives the request. */
export function makeContext(req: FastifyRequest, res: FastifyReply): GraphqlContext {
  return { req, res, loaders: new Map() };
}

/**
 * The request's data loader of that name, made on its first use. What is loaded depends on the caller, so a loader
 * is never shared between requests.
 * @param name says what is loaded, such as `trips.contact`.
 */
export function loader<Key, Value, CacheKey = Key>(
  context: GraphqlContext,
  name: string,
  make: () => DataLoader<Key, Value, CacheKey>,
): DataLoader<Key, Value, CacheKey> {
  const known = context.loaders.get(name) as DataLoader<Key, Value, CacheKey> | undefined;
  if (known) return known;
  const made = make();
  context.loaders.set(name, made);
  return made;
}
