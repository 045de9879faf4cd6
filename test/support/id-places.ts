/**
 * Where requests take ids and names of things: read from openapi.json and schema.gql, so that a new place is one that the
 * tables of what may be named (foreign-rest-table.ts, foreign-graphql-table.ts) do not have yet.
 */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  isInputObjectType,
} from 'graphql';
import { snakeCase } from '../../src/kernel/letter-case.js';

/** An operation, a space, and the place: its name, behind that of the argument or field that it is inside of. */
export type Place = string;

/** Names of what names a thing, in the letters of REST. */
const NAMES_A_THING = /(?:^|_)(?:ids?|slug|key|topic)$/;
/** JSON of any shape in which ids may stand; of other JSON none is looked up. */
const JSON_WITH_IDS = ['to', 'conditions', 'check', 'branches', 'variants', 'value', 'row'];
const JSON_WITHOUT_IDS = [
  ...['attributes', 'properties', 'set', 'trigger_conditions', 'event_filters', 'names', 'descriptions'],
  ...['body_ast', 'document_json', 'contact', 'trigger_event', 'additional_events', 'extra', 'field_mapping'],
  'field_types',
];

/** What opens accounts elsewhere, and names nothing here. */
const OF_OTHERS = ['app_id', 'api_key'];

export const schema = buildSchema(readFileSync('schema.gql', 'utf8'));

/** A name within another: of those between, as deep as they may go, nothing is said. */
const within = (outer: string | undefined, name: string): string =>
  outer === undefined || outer === name ? name : `${outer.split('.')[0]}.${name}`;

function isPlace(name: string, isId: boolean, isJson: boolean): boolean {
  if (!isJson) return !OF_OTHERS.includes(name) && (isId || NAMES_A_THING.test(name));
  if (JSON_WITH_IDS.includes(name)) return true;
  if (JSON_WITHOUT_IDS.includes(name)) return false;
  throw new Error(`Whether ids may stand in the JSON of ${name} is said nowhere.`);
}

/** The places of the endpoints that are not left out, each once. */
export function placesOfRest(leftOut: readonly string[]): Place[] {
  return endpoints()
    .filter(({ name }) => !leftOut.includes(name))
    .flatMap(({ name, parameters, body }) => {
      const inUrl = parameters
        .map(({ name: parameter }) => parameter)
        .filter((each) => isPlace(each, false, false));
      return [...new Set([...inUrl, ...placesOfBody(body)])].map((place) => `${name} ${place}`);
    });
}

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly oneOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

interface Endpoint {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly body: Shape;
}

const api = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: Endpoint['parameters']; requestBody?: { content: Record<string, { schema: Shape }> } }
    >
  >;
  components: { schemas: Record<string, Shape> };
};

function endpoints(): Endpoint[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      parameters: parameters.filter((each) => each.in === 'path' || each.in === 'query'),
      body: requestBody?.content['application/json']?.schema ?? {},
    })),
  );
}

function placesOfBody(shape: Shape, outer?: string, seen: readonly string[] = []): string[] {
  if (shape.$ref !== undefined) {
    const name = shape.$ref.split('/').at(-1) ?? '';
    const known = api.components.schemas[name];
    return known && !seen.includes(name) ? placesOfBody(known, outer, [...seen, name]) : [];
  }
  const parts = [
    ...(shape.oneOf ?? []),
    ...(shape.anyOf ?? []),
    ...(shape.allOf ?? []),
    ...(shape.items ? [shape.items] : []),
  ];
  const inside = parts.flatMap((part) => placesOfBody(part, outer, seen));
  const own = Object.entries(shape.properties ?? {}).flatMap(([name, property]) => {
    const path = within(outer, name);
    const isJson =
      property.type === 'object' && property.properties === undefined && property.allOf === undefined;
    return [...(isPlace(name, false, isJson) ? [path] : []), ...placesOfBody(property, path, seen)];
  });
  return [...inside, ...own];
}

/** The places of the queries and mutations, each once. */
export function placesOfGraphql(): Place[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).flatMap(({ name, args }) =>
      [...new Set(placesOfArguments(args))].map((place) => `${name} ${place}`),
    ),
  );
}

function placesOfArguments(
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  outer?: string,
  seen: readonly string[] = [],
): string[] {
  return fields.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    if (isInputObjectType(named))
      return seen.includes(named.name)
        ? []
        : placesOfArguments(Object.values(named.getFields()), within(outer, name), [...seen, named.name]);
    // Numbers name nothing but steps and versions, within what is named beside them.
    const isNumber = named.name === 'Int' || named.name === 'Float';
    const isOne = !isNumber && isPlace(snakeCase(name), named.name === 'ID', named.name === 'JSON');
    return isOne ? [within(outer, name)] : [];
  });
}
