/**
 * The DateTime scalar of @nestjs/graphql accepts any text and passes an invalid date to resolvers for most of it. This
 * version returns a Date only for an ISO 8601 moment. It passes on any other text unchanged: `Moment`, which declares
 * every such input, rejects it and names the field, which the scalar does not know.
 */
import { GraphQLError, GraphQLScalarType, type GraphQLSchema, Kind } from 'graphql';

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** Replaces the parsing of a schema's DateTime scalar. */
export function withStrictDateTime(schema: GraphQLSchema): GraphQLSchema {
  const scalar = schema.getType('DateTime');
  if (scalar instanceof GraphQLScalarType) {
    scalar.parseValue = parseMoment;
    scalar.parseLiteral = (node) => parseMoment(node.kind === Kind.STRING ? node.value : undefined);
  }
  return schema;
}

function parseMoment(value: unknown): Date | string {
  if (typeof value !== 'string')
    throw new GraphQLError('DateTime must be an ISO 8601 date-time, such as 2026-04-07T09:30:00Z.');
  const moment = ISO_8601.test(value) ? new Date(value) : undefined;
  return moment && !Number.isNaN(moment.getTime()) ? moment : value;
}
