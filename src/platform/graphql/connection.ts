/**
 * Every GraphQL list is a Relay connection: edges with a cursor and a node, and page info. A list declares its types
 * with `connection` of `platform/output`, and its arguments with `PageArgs` of `platform/input`.
 */
import { Field, ObjectType } from '@nestjs/graphql';
import type { Slice } from '../../kernel/page-cursor.js';
import type { PageArgs } from '../input/page.input.js';

@ObjectType('PageInfo')
export class PageInfoType {
  @Field() hasNextPage: boolean;
  @Field({ description: 'Whether the page follows a cursor.' }) hasPreviousPage: boolean;
  @Field(() => String, { nullable: true }) startCursor: string | null;
  @Field(() => String, { nullable: true, description: 'Pass this as `after` to get the next page.' })
  endCursor: string | null;
}

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

export interface Connection<OneEdge> {
  readonly edges: OneEdge[];
  readonly pageInfo: PageInfoType;
}

export interface CountedConnection<Node> extends Connection<Edge<Node>> {
  readonly totalCount: number;
}

/** Converts a page to a connection. */
export function connectionOf<Item, OneEdge extends Edge<unknown>>(
  { items, hasNextPage }: Slice<Item>,
  { after }: PageArgs,
  edgeOf: (item: Item) => OneEdge,
): Connection<OneEdge> {
  const edges = items.map(edgeOf);
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: Boolean(after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
