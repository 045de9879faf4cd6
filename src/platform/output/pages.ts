/** Lists of records: a page with a total in REST, a Relay connection in GraphQL. */
import { PageInfoType, type Connection, type Edge } from '../graphql/connection.js';
import { Out, Output, type OutputClass } from './output-class.js';

type RestPage<Key extends string, Item> = {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
} & { readonly [Member in Key]: readonly Item[] };

/**
 * The response of a REST list: the items as `member`, and `total`, `limit` and `offset`. Extend it for more fields.
 * @param name of the schema in the OpenAPI document.
 */
export function restPage<const Key extends string, Item extends object>(
  name: string,
  member: Key,
  item: OutputClass<Item>,
): new () => RestPage<Key, Item> {
  class PageOutput {
    @Out('Int') total: number;
    @Out('Int') limit: number;
    @Out('Int') offset: number;
  }
  Out([item])(PageOutput.prototype, member);
  Output({ rest: name })(PageOutput);
  return PageOutput as new () => RestPage<Key, Item>;
}

interface ConnectionOptions {
  /** Adds `totalCount`; an object describes it. */
  readonly counted?: true | { readonly description: string };
  /** An output class with more fields of each edge. */
  readonly edge?: OutputClass;
  /** An output class with more fields of the connection. */
  readonly fields?: OutputClass;
}

/** The GraphQL connection `…Connection`, and its edge `…Edge`. */
export function connection<Node extends object>(
  name: string,
  node: OutputClass<Node> | 'String',
  { counted, edge, fields }: ConnectionOptions = {},
): new () => Connection<Edge<Node>> {
  class EdgeOutput extends (edge ?? Empty) {}
  Out('String')(EdgeOutput.prototype, 'cursor');
  Out(node)(EdgeOutput.prototype, 'node');
  Output({ graphql: `${name}Edge` })(EdgeOutput);
  class ConnectionOutput extends (fields ?? Empty) {}
  Out([EdgeOutput])(ConnectionOutput.prototype, 'edges');
  Out(PageInfoType)(ConnectionOutput.prototype, 'pageInfo');
  if (counted) Out('Int', counted === true ? {} : counted)(ConnectionOutput.prototype, 'totalCount');
  Output({ graphql: `${name}Connection` })(ConnectionOutput);
  return ConnectionOutput as unknown as new () => Connection<Edge<Node>>;
}

abstract class Empty {}
