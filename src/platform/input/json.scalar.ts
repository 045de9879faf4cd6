/** The JSON scalar: contact properties, event attributes, steps of a flow. Values are stored as they are. */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { ExactNumber } from '../../kernel/exact-number.js';
import { flawOf } from '../../kernel/json.js';

export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables) => {
    if (node.kind === Kind.VARIABLE) throw new GraphQLError('A JSON literal must not contain a variable.');
    const value = valueOf(node, variables);
    // Variables were already checked when the body was parsed.
    const flaw = flawOf(value);
    if (flaw !== undefined) throw new GraphQLError(`The JSON value ${flaw}.`);
    return value;
  },
});

function valueOf(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return ExactNumber.from(node.value);
    case Kind.LIST:
      return node.values.map((inner) => valueOf(inner, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, valueOf(value, variables)]),
      );
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    default:
      return node.value;
  }
}

type Variables = Readonly<Record<string, unknown>> | null | undefined;
