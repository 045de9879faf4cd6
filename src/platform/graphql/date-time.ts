/**
 * The DateTime scalar of @nestjs/graphql takes any text and hands resolvers an invalid date for most of it; this
 * hands a Date for an ISO 8601 moment alone. Any other text goes on as it is: `Moment`, by which every input of this kind is
 * declared, refuses it and names the field, which the scalar does not know.
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

function parseMoment(value: unknown): Date | string {
  if (typeof value !== 'string')
    throw new GraphQLError('DateTime must be an ISO 8601 date-time, such as 2026-04-07T09:30:00Z.');
  const moment = ISO_8601.test(value) ? new Date(value) : undefined;
  return moment && !Number.isNaN(moment.getTime()) ? moment : value;
}
