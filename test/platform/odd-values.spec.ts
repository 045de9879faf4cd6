/**
 * Sends unexpected values to every field of every route in openapi.json and the GraphQL schema. Each is answered
 * with an error that describes the problem, never with an internal error.
 */
import { readFileSync } from 'node:fs';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { repetitions, sampleOf } from '../support/test-scope.js';

let service: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await sharedApp();
  workspace = await service.workspace();
  await workspace.call('POST', '/v1/contacts', { external_id: 'ada', email: 'ada@example.com' });
});
afterAll(async () => {
  await service?.close();
});

/** Sends a few requests concurrently. */
async function together<Item>(
  items: readonly Item[],
  atOnce: number,
  ask: (item: Item) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce)
    await Promise.all(items.slice(from, from + atOnce).map(ask));
}

const LONG = 'x'.repeat(3_000);
const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';

/** Odd values of URL parameters, percent-encoded where necessary. */
const IN_ADDRESSES = [
  '1e300',
  '-1',
  '0',
  '1.5',
  'NaN',
  'Infinity',
  '99999999999999999999',
  '2147483648',
  '',
  '%20',
  'a%00b',
  '%ED%A0%80',
  '%',
  '%ZZ',
  '%F0%9F%92%A5',
  '..%2F..%2Fetc',
  "'%3B--",
  '0001-01-01',
  '275760-09-13',
  '2026-02-30T99:99:99Z',
  '%5B%5D',
  '%7B%22a%22%3A1%7D',
  ID,
  LONG,
];

interface Parameter {
  readonly name: string;
  readonly in: string;
}
type Operation = { readonly parameters?: readonly Parameter[] };

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

const routes = Object.entries(paths)
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [] }]) => ({
      route: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters,
    })),
  )
  .map((one, place) => ({ ...one, place }));
/** One in this many odd values is tested at each position; the nightly run tests all. */
const ONE_VALUE_IN = 10;

test('there are routes to ask', () => expect(routes.length).toBeGreaterThan(20));

test.each(routes)('$route', async ({ method, path, parameters, place }) => {
  const named = (fill: (name: string) => string): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => fill(name));
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const usualAddress = named(() => ID);
  const oddAddresses = [
    ...(path.includes('{') ? [named] : []),
    ...queries.map(
      ({ name }) =>
        (value: () => string) =>
          `${usualAddress}?${name}=${value()}`,
    ),
  ];
  const addresses = oddAddresses.flatMap((address, n) =>
    sampleOf(IN_ADDRESSES, place + n, ONE_VALUE_IN).map((value) => address(() => value)),
  );
  // The syntax of a parameter is checked before its value.
  for (const [n, { name }] of queries.entries()) {
    const written = ['1', '%', LONG].flatMap((value) => [
      `${name}=${value}&${name}=1`,
      `${name}[]=${value}`,
      `${name}[a]=${value}`,
    ]);
    addresses.push(...sampleOf(written, place + n, 4).map((query) => `${usualAddress}?${query}`));
  }
  addresses.push(`${usualAddress}?unknown=1`);
  // Body and URL are tested separately: each odd value of one goes with a valid value of the other.
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const bodies = takesBody ? [undefined, {}, [], 'null', '"x"', '{'] : [];
  const asked = [
    ...addresses.map((address) => ({ address, body: takesBody ? {} : undefined })),
    ...bodies.map((body) => ({ address: usualAddress, body })),
  ];
  // A tenant may run only a few exports concurrently; others are asked to retry.
  await together(asked, path.endsWith('/export') ? 1 : 8, async ({ address, body }) => {
    const { status, headers, body: answer } = await workspace.call(method, address, body);
    const attempt = { address: address.slice(0, 200), body, status };
    expect([attempt, status < 500]).toEqual([attempt, true]);
    if (status >= 400 && !String(headers.get('content-type')).startsWith('text/html'))
      expect([attempt, answer]).toEqual([
        attempt,
        expect.objectContaining({ detail: expect.anything(), request_id: headers.get('x-request-id') }),
      ]);
  });
});

const ODD_TEXTS = ['\0', '\ud800', '1e300', '', '💥', LONG, '-1', "'; --"];
const ODD: Readonly<Record<string, readonly unknown[]>> = {
  String: [...ODD_TEXTS, 1, [], {}],
  ID: [...ODD_TEXTS, ID, 1e300, -1, []],
  Int: [-2_147_483_648, -1, 0, 101, 2_147_483_647, 2_147_483_648, 1e300, 1.5, '1', ''],
  Float: [1e300, -1e300, 'x'],
  Boolean: ['true', 1],
  DateTime: ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-30', '', 0],
  JSON: [
    ...ODD_TEXTS,
    [],
    {},
    [null],
    [[]],
    1e300,
    { a: '\0' },
    { '\ud800': 1 },
    { match: 'x' },
    nested(200),
  ],
};
const USUAL: Readonly<Record<string, unknown>> = {
  String: 'x',
  ID,
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-04-07T09:30:00Z',
  JSON: {},
};

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

/** A valid value of the type. */
function usual(type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [usual(nullable.ofType)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) return required(Object.values(nullable.getFields()));
  return USUAL[nullable.name] ?? 'x';
}

function required(fields: readonly (GraphQLArgument | GraphQLInputField)[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter(({ type }) => isNonNullType(type)).map(({ name, type }) => [name, usual(type)]),
  );
}

/** Odd values of the type; for an input object, a few objects with one odd member each. */
function odd(type: GraphQLInputType): unknown[] {
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return [
      [],
      [null],
      Array(1_000).fill(usual(nullable.ofType)),
      ...odd(nullable.ofType).map((one) => [one]),
    ];
  if (isEnumType(nullable)) return ['nope', 1, ''];
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields());
    return fields.flatMap((field) =>
      odd(field.type)
        .slice(0, repetitions({ short: 2, full: 5 }))
        .map((value) => ({ ...required(fields), [field.name]: value })),
    );
  }
  return [...(ODD[nullable.name] ?? ['nope']), null];
}

describe('GraphQL', () => {
  test.each(['Query', 'Mutation'] as const)('every field of %s', async (root) => {
    const { schema } = service.app.get(GraphQLSchemaHost, { strict: false });
    const fields = Object.values((schema.getType(root) as { getFields?: () => object })?.getFields?.() ?? {});
    expect(fields.length).toBeGreaterThan(5);
    for (const [place, field] of (fields as GraphQLField<unknown, unknown>[]).entries()) {
      const inner = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
      const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
      const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
      const query = `${root.toLowerCase()} ${declared && `(${declared})`} { ${field.name} ${given && `(${given})`} ${inner} }`;
      const asked = field.args.flatMap(({ name, type }, n) =>
        sampleOf(odd(type), place + n, ONE_VALUE_IN).map((value) => ({ name, value })),
      );
      await together(asked, 8, async ({ name, value }) => {
        const variables = { ...required(field.args), [name]: value };
        const { status, headers, body } = await workspace.graphql(query, variables);
        const attempt = { field: field.name, [name]: JSON.stringify(value).slice(0, 200), status };
        const errors = (body.errors ?? []) as { extensions: Record<string, unknown> }[];
        const faults = errors.filter(
          ({ extensions: { code, request_id } }) =>
            /internal/i.test(String(code)) || request_id !== headers.get('x-request-id'),
        );
        expect([attempt, status < 500, faults]).toEqual([attempt, true, []]);
      });
    }
  });
});
