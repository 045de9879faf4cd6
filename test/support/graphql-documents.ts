/**
 * Builds GraphQL documents for the fields of schema.gql: with required arguments only, or with every selectable field.
 */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from './id-parameters.js';

/** An id that no object has. */
export const NOWHERE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
/** Depth of selections that show everything: an edge, its record, and the objects within the record. */
const DEEPEST = 4;

export interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
}

/** All queries and mutations by name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  (['query', 'mutation'] as const).flatMap((kind) =>
    Object.values(
      (kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {},
    ).map((field) => [field.name, { kind, field }] as const),
  ),
);

/** A sample value of an input type. */
function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return `[${sample(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type))
    return `{${Object.values(type.getFields())
      .filter(({ type: needed }) => isNonNullType(needed))
      .map((field) => `${field.name}: ${sample(field.type)}`)
      .join(', ')}}`;
  switch (type.name) {
    case 'ID':
      return `"${NOWHERE}"`;
    case 'Int':
    case 'Float':
      return '1';
    case 'Boolean':
      return 'true';
    case 'DateTime':
      return '"2026-01-01T00:00:00Z"';
    case 'JSONObject':
    case 'JSON':
      return '{}';
    default:
      return '"nowhere"';
  }
}

/** A document that selects the field with its required arguments and nothing else. */
export function leastDocument({ kind, field }: Operation): string {
  const needed = field.args.filter(({ type }) => isNonNullType(type));
  const given = needed.map(({ name, type }) => `${name}: ${sample(type)}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  return `${kind} { ${field.name}${given === '' ? '' : `(${given})`}${selection} }`;
}

/**
 * A document that selects everything the field offers.
 * @param call the field with its arguments, as `flow(id: "1")`.
 */
export function fullDocument({ kind, field }: Operation, call: string): string {
  return `${kind} { ${call}${selectionOf(field.type, 1)} }`;
}

/** Selects every field of a type that takes no arguments; empty for types without fields. */
function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.length > 0) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth === DEEPEST ? [] : [`${field.name}${selectionOf(field.type, depth + 1)}`];
  });
  return ` { ${fields.length === 0 ? '__typename' : fields.join(' ')} }`;
}
