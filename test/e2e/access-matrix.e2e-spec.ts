/**
 * Who gets in where (gate S1): each endpoint and each operation of GraphQL, as each role, with a key of each scope, with
 * nothing, with what is not right, and from another workspace. What is expected is a table that people read
 * (access-table.ts); the endpoints are those of openapi.json and schema.gql, so that a new one without a row fails.
 */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import pg from 'pg';
import { KEY_SCOPES, ROLES, type KeyScope, type Role } from '../../src/kernel/principal.js';
import { seedFile } from '../../src/processes/cli/seed.js';
import { bootApp, type Answer, type TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';
import { GRAPHQL_ROWS, OF_PERSONS, OPEN, REST_ROWS, type Row } from '../support/access-table.js';

const NOWHERE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';

let app: TestApp;
let admin: pg.Client;

interface House {
  readonly id: string;
  readonly tokens: Readonly<Record<Role, string>>;
  readonly keys: Readonly<Record<KeyScope, string>>;
}
let house: House;
let neighbour: House;

beforeAll(async () => {
  app = await bootApp({ queues: [], env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  [house, neighbour] = [await build('house'), await build('neighbour')];
  // A member is linked to a person by the first request, and to no other from then on.
  for (const one of [house, neighbour])
    for (const role of ROLES) await app.request('GET', '/v1/flows', undefined, asRole(role, one, one));
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

async function build(name: string): Promise<House> {
  const { workspaces } = await seedFile(
    {
      workspaces: [
        {
          ...{ name, plan: 'enterprise', account_email_verified: true },
          members: ROLES.map((role) => ({ email: `${role}@${name}.example.com`, role })),
          api_keys: KEY_SCOPES.map((scope) => ({ name: scope, scope, environment: 'live' })),
          contacts: [{ external_id: `canary-${name}`, email: `canary-${name}@example.com` }],
          segments: [
            {
              ...{ name: `canary-${name}`, match: 'all' },
              conditions: [{ field: 'email', operator: 'exists' }],
            },
          ],
          templates: [
            { name: `canary-${name}`, slug: `canary-${name}`, subject: 'S', body_html: '<p>B</p>' },
          ],
        },
      ],
    },
    app.app,
  );
  const [workspace] = workspaces;
  if (!workspace) throw new Error('Nothing was seeded.');
  const tokens = await Promise.all(
    ROLES.map(async (role) => [role, await app.token(`${role}@${name}.example.com`)] as const),
  );
  const keys = (workspace.api_keys ?? []).map(({ key }, n) => [KEY_SCOPES[n], key] as const);
  return {
    id: workspace.id,
    tokens: Object.fromEntries(tokens) as House['tokens'],
    keys: Object.fromEntries(keys) as House['keys'],
  };
}

type Headers = Record<string, string>;
const asRole = (role: Role, of = house, at = house): Headers => ({
  authorization: `Bearer ${of.tokens[role]}`,
  'x-workspace-id': at.id,
});
const asKey = (scope: KeyScope, of = house, at = house): Headers => ({
  'x-api-key': of.keys[scope],
  'x-workspace-id': at.id,
});

/** What a cell is expected to be: a refusal by its code, or `pass`. */
interface Cell {
  readonly who: string;
  readonly headers: Headers;
  readonly expected: string;
}

/** Everybody who asks, and what each is told by the row. */
function cellsOf([name, members, keys, ofMember, ofKey, passes]: Row): Cell[] {
  return [
    ...ROLES.map((role, n) => ({
      ...{ who: role, headers: asRole(role) },
      expected: members[n] === '-' ? ofMember : passes,
    })),
    ...KEY_SCOPES.map((scope, n) => ({
      ...{ who: `key ${scope}`, headers: asKey(scope) },
      expected: keys[n] === '-' ? ofKey : passes,
    })),
    { who: 'nobody', headers: {}, expected: 'missing_token' },
    { who: 'a workspace alone', headers: { 'x-workspace-id': house.id }, expected: 'missing_api_key' },
    {
      who: 'a key alone',
      headers: { 'x-api-key': house.keys.full },
      expected: 'missing_workspace_id',
    },
    {
      who: 'a key of nobody',
      headers: { 'x-api-key': `psk_live_${'0'.repeat(32)}`, 'x-workspace-id': house.id },
      expected: 'invalid_api_key',
    },
    {
      who: 'a token of nobody',
      headers: { authorization: 'Bearer a.b.c', 'x-workspace-id': house.id },
      expected: 'invalid_token',
    },
    ...ROLES.map((role) => ({
      ...{ who: `the neighbour’s ${role}`, headers: asRole(role, neighbour, house) },
      expected: OF_PERSONS.includes(name) ? passes : 'workspace_mismatch',
    })),
    ...KEY_SCOPES.map((scope) => ({
      ...{ who: `the neighbour’s key ${scope}`, headers: asKey(scope, neighbour, house) },
      expected: 'workspace_mismatch',
    })),
  ];
}

/** Rows of all tables of tenants, so that nothing changes unseen. */
async function everything(): Promise<string> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_name <> 'api_key_uses' ORDER BY 1`,
  );
  const hashes: string[] = [];
  for (const { name } of tables) {
    const { rows } = await admin.query<{ hash: string | null }>(
      `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS hash FROM ${name} t`,
    );
    hashes.push(`${name} ${rows[0]?.hash}`);
  }
  return hashes.join('\n');
}

/** Asks each cell, those that are refused first; gives how many there were and what was not as expected. */
async function judge(
  rows: readonly Row[],
  ask: (name: string, headers: Headers) => Promise<string>,
): Promise<{ readonly cells: number; readonly wrong: string[] }> {
  const wrong: string[] = [];
  let cells = 0;
  const check = async (row: Row, cell: Cell): Promise<void> => {
    cells++;
    // Bad credentials have a window of their own for each address: here they come from everywhere.
    const from = `10.${cells >> 16}.${(cells >> 8) % 256}.${cells % 256}`;
    const answer = await ask(row[0], { ...cell.headers, 'x-forwarded-for': from });
    if (!cell.expected.split('|').includes(answer))
      wrong.push(`${row[0]} as ${cell.who}: ${answer}, not ${cell.expected}`);
  };
  const before = await everything();
  for (const row of rows)
    await Promise.all(cellsOf(row).flatMap((cell) => (cell.expected === row[5] ? [] : [check(row, cell)])));
  expect(await everything()).toBe(before);
  for (const row of rows)
    for (const cell of cellsOf(row)) if (cell.expected === row[5]) await check(row, cell);
  return { cells, wrong };
}

const NO_CODE = 'no code';

/** What an answer says: a code, else its status. */
function said({ status, body }: Answer): string {
  expect(JSON.stringify(body)).not.toContain('canary-neighbour');
  if (status < 400) return String(status);
  // As clients do, section 7: the code, or else the reason.
  const named = (body?.code ?? body?.reason) as unknown;
  return typeof named === 'string' ? named : `${status} ${NO_CODE}`;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

function operations(): Operation[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      ...{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase() },
      path: path.replace(/\{\w*(?:version|version_num)\}/g, '1').replace(/\{\w+\}/g, NOWHERE),
    })),
  );
}

test('every endpoint of REST, as everybody', async () => {
  const all = new Map(operations().map((one) => [one.name, one]));
  expect([...REST_ROWS.map(([name]) => name), ...OPEN].toSorted()).toEqual([...all.keys()].toSorted());
  const { cells, wrong } = await judge(REST_ROWS, async (name, headers) => {
    const { method, path } = all.get(name) as Operation;
    // Whoever is let in learns that the body is none: nothing is changed by asking.
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{"nothing_of_that_name":1}';
    return said(await app.request(method, path, body, headers));
  });
  expect(wrong).toEqual([]);
  expect(cells).toBe(REST_ROWS.length * 25);
  figure(`${cells} cells of REST`);
});

const schema = buildSchema(readFileSync('schema.gql', 'utf8'));

/** Something of an input's type. */
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

/** A document that asks for the field, with what it needs and nothing else. */
function documentOf(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): string {
  const needed = field.args.filter(({ type }) => isNonNullType(type));
  const given = needed.map(({ name, type }) => `${name}: ${sample(type)}`).join(', ');
  let type: GraphQLOutputType = field.type;
  while (isNonNullType(type) || isListType(type)) type = type.ofType as GraphQLOutputType;
  return `${kind} { ${field.name}${given === '' ? '' : `(${given})`}${isLeafType(type) ? '' : ' { __typename }'} }`;
}

test('every operation of GraphQL, as everybody', async () => {
  const fields = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
    ...Object.values(schema.getMutationType()?.getFields() ?? {}).map(
      (field) => ['mutation', field] as const,
    ),
  ];
  const documents = new Map(fields.map(([kind, field]) => [field.name, documentOf(kind, field)]));
  expect(GRAPHQL_ROWS.map(([name]) => name).toSorted()).toEqual([...documents.keys()].toSorted());
  const { cells, wrong } = await judge(GRAPHQL_ROWS, async (name, headers) => {
    const answer = await app.request('POST', '/graphql', { query: documents.get(name) }, headers);
    const { body } = answer;
    expect(JSON.stringify(body)).not.toContain('canary-neighbour');
    const code = body?.errors?.[0]?.extensions?.code as string | undefined;
    return code ?? (answer.status < 400 ? 'ok' : String(answer.status));
  });
  expect(wrong).toEqual([]);
  expect(cells).toBe(GRAPHQL_ROWS.length * 25);
  figure(`${cells} cells of GraphQL`);
});
