/** Any JSON value, as it is stored: contact properties, event attributes, steps of a flow. */
import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from 'graphql';

export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables) => {
    if (node.kind === Kind.VARIABLE) throw new GraphQLError('A JSON literal must not be a variable.');
    return valueFromASTUntyped(node, variables);
  },
});
