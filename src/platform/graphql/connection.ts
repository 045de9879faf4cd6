/**
 * Every GraphQL list is a Relay connection: edges with a cursor and a node, and page info. Code first: a list declares
 * its edge and connection types with these classes, and its arguments with `PageArgs` (`platform/input`).
 */
import type { Type } from '@nestjs/common';
import { Field, ObjectType, type ReturnTypeFunc } from '@nestjs/graphql';
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

/** The base class of an edge; extend it, with `@ObjectType('…Edge')`. */
export function edge<Node>(node: ReturnTypeFunc): Type<Edge<Node>> {
  @ObjectType({ isAbstract: true })
  class EdgeType {
    @Field() cursor: string;
    @Field(node) node: Node;
  }
  return EdgeType;
}

/** The base class of a connection; extend it, with `@ObjectType('…Connection')`. */
export function connection<OneEdge extends Edge<unknown>>(
  edgeType: () => Type<OneEdge>,
): Type<Connection<OneEdge>> {
  @ObjectType({ isAbstract: true })
  class ConnectionType {
    @Field(() => [edgeType()]) edges: OneEdge[];
    @Field(() => PageInfoType) pageInfo: PageInfoType;
  }
  return ConnectionType;
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
