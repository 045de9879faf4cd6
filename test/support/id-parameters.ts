/**
 * Lists where requests take ids and names of objects, read from openapi.json and schema.gql. A new parameter is
 * therefore missing from foreign-rest-table.ts or foreign-graphql-table.ts, and the test fails.
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

/** The operation, a space, and the parameter: its name, prefixed by the argument or field that contains it. */
export type Place = string;

/** Parameter names that refer to an object, in REST spelling. */
const NAMES_A_THING = /(?:^|_)(?:ids?|slug|key|topic)$/;
/** Free-form JSON that may contain ids; ids in other JSON are never looked up. */
const JSON_WITH_IDS = ['to', 'conditions', 'check', 'branches', 'variants', 'value', 'row'];
const JSON_WITHOUT_IDS = [
  ...['attributes', 'properties', 'set', 'trigger_conditions', 'event_filters', 'names', 'descriptions'],
  ...['body_ast', 'document_json', 'contact', 'trigger_event', 'additional_events', 'extra', 'field_mapping'],
  'field_types',
];

/** Parameters for accounts on other platforms; they refer to no object of Waypost. */
const OF_OTHERS = ['app_id', 'api_key'];

export const schema = buildSchema(readFileSync('schema.gql', 'utf8'));

/** A nested name: the outermost and the innermost part, without the levels in between. */
const within = (outer: string | undefined, name: string): string =>
  outer === undefined || outer === name ? name : `${outer.split('.')[0]}.${name}`;

function isPlace(name: string, isId: boolean, isJson: boolean): boolean {
  if (!isJson) return !OF_OTHERS.includes(name) && (isId || NAMES_A_THING.test(name));
  if (JSON_WITH_IDS.includes(name)) return true;
  if (JSON_WITHOUT_IDS.includes(name)) return false;
  throw new Error(`Whether ids may stand in the JSON of ${name} is said nowhere.`);
}

/** The parameters of the endpoints that are not excluded, each once. */
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

/** The parameters of the queries and mutations, each once. */
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
    // Numbers identify only steps and versions, within the object that another parameter names.
    const isNumber = named.name === 'Int' || named.name === 'Float';
    const isOne = !isNumber && isPlace(snakeCase(name), named.name === 'ID', named.name === 'JSON');
    return isOne ? [within(outer, name)] : [];
  });
}
