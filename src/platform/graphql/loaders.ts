/**
 * The context that the resolvers of a request share: its HTTP request and reply, which the guards read, and its data
 * loaders, which batch the lookups of many fields into one query.
 */
import type DataLoader from 'dataloader';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface GraphqlContext {
  readonly req: FastifyRequest;
  readonly res: FastifyReply;
  readonly loaders: Map<string, unknown>;
}

/** A new context, which lives as long as the request. */
export function makeContext(req: FastifyRequest, res: FastifyReply): GraphqlContext {
  return { req, res, loaders: new Map() };
}

/**
 * The request's data loader with this name, created on first use. Its results depend on the caller, so loaders are
 * never shared between requests.
 * @param name names the data, such as `trips.contact`.
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
