/**
 * Every list of GraphQL is a connection as Relay has it: edges with a cursor and a node, and what is known of the page.
 * Code first: a list declares its edge and its connection by these classes, and takes its arguments from `PageArgs`.
 */
import type { Type } from '@nestjs/common';
import { ArgsType, Field, Int, ObjectType, type ReturnTypeFunc } from '@nestjs/graphql';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { Slice } from '../../kernel/place.js';

export const LARGEST_PAGE = 100;
const USUAL_PAGE = 25;
/** Of a list within each record of a list. */
export const NESTED_PAGE = 10;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: USUAL_PAGE, description: `From 1 to ${LARGEST_PAGE}.` })
  @IsInt()
  @Min(1)
  @Max(LARGEST_PAGE)
  first: number;

  @Field(() => String, { nullable: true, description: 'The cursor that the page follows.' })
  @IsOptional()
  @IsString()
  after?: string | null;
}

/** As `PageArgs`, for lists within lists. */
@ArgsType()
export class NestedPageArgs extends PageArgs {
  @Field(() => Int, { defaultValue: NESTED_PAGE, description: `From 1 to ${LARGEST_PAGE}.` })
  @IsInt()
  @Min(1)
  @Max(LARGEST_PAGE)
  declare first: number;
}

@ObjectType('PageInfo')
export class PageInfoType {
  @Field() hasNextPage: boolean;
  @Field({ description: 'Whether the page follows a cursor.' }) hasPreviousPage: boolean;
  @Field(() => String, { nullable: true }) startCursor: string | null;
  @Field(() => String, { nullable: true, description: 'Give it as `after` to read on.' })
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

/** The class of an edge; extend it, with `@ObjectType('…Edge')`. */
export function edge<Node>(node: ReturnTypeFunc): Type<Edge<Node>> {
  @ObjectType({ isAbstract: true })
  class EdgeType {
    @Field() cursor: string;
    @Field(node) node: Node;
  }
  return EdgeType;
}

/** The class of a connection; extend it, with `@ObjectType('…Connection')`. */
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

/** The connection of a page. */
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
