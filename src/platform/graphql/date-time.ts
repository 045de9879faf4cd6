/**
 * The DateTime scalar of @nestjs/graphql takes any text and hands resolvers an invalid date for most of it; this
 * makes it refuse what is no ISO 8601 moment, wherever it is used.
 */
import { GraphQLError, GraphQLScalarType, type GraphQLSchema, Kind } from 'graphql';

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** Mends the scalar of a schema. */
export function withStrictDateTime(schema: GraphQLSchema): GraphQLSchema {
  const scalar = schema.getType('DateTime');
  if (scalar instanceof GraphQLScalarType) {
    scalar.parseValue = parseMoment;
    scalar.parseLiteral = (node) => parseMoment(node.kind === Kind.STRING ? node.value : undefined);
  }
  return schema;
}

function parseMoment(value: unknown): Date {
  const moment = typeof value === 'string' && ISO_8601.test(value) ? new Date(value) : undefined;
  if (!moment || Number.isNaN(moment.getTime()))
    throw new GraphQLError('DateTime needs an ISO 8601 moment, such as 2026-04-07T09:30:00Z.');
  return moment;
}
