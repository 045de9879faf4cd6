/**
 * Foreign objects are invisible (gate S1). A caller that names an object of another workspace or of the other
 * environment gets the answer for an object that does not exist, reads nothing of it, and changes nothing. The
 * parameters that name objects come from openapi.json and schema.gql, so a new one without a row in the tables
 * (foreign-rest-table.ts, foreign-graphql-table.ts) fails.
 */
import type pg from 'pg';
import { GRAPHQL_ROWS, OPEN, REST_ROWS } from '../support/access-table.js';
import { saidOfRest } from '../support/access-cells.js';
import { bootFurnished, KINDS, type FurnishedHouse } from '../support/access-houses.js';
import type { TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';
import { filled, judgeForeign, type ReceivedAnswer, type Question } from '../support/foreign-cells.js';
import { FOREIGN_GRAPHQL_ROWS } from '../support/foreign-graphql-table.js';
import { FOREIGN_REST_ROWS, type ForeignRow } from '../support/foreign-rest-table.js';
import { fullDocument, OPERATIONS } from '../support/graphql-documents.js';
import { placesOfGraphql, placesOfRest } from '../support/id-parameters.js';

let app: TestApp;
let admin: pg.Client;
let houses: Record<'rest' | 'graphql' | 'neighbour', FurnishedHouse>;

beforeAll(async () => {
  ({ app, admin, houses } = await bootFurnished('rest', 'graphql', 'neighbour'));
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});

const placesOf = (rows: readonly ForeignRow[]): string[] =>
  [...new Set(rows.map(([operation, place]) => `${operation} ${place}`))].toSorted();

/** The whole answer except the request id. */
const textOf = (body: unknown): string => JSON.stringify(body ?? null).replace(/"request_id":"[^"]*"/g, '');

/** Calls an endpoint; the other parameters of its path are the caller's own. */
async function askRest({ row, named, own, headers }: Question): Promise<ReceivedAnswer> {
  const [operation, place, , , , , request = ''] = row;
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    if (parameter === place) return named;
    if (parameter.startsWith('version')) return '1';
    const kind = FOREIGN_REST_ROWS.find((each) => each[0] === operation && each[1] === parameter)?.[2];
    if (!kind) throw new Error(`What ${parameter} of ${operation} names is said nowhere.`);
    return own[kind];
  });
  const more = filled(request, { named, own });
  const answer = more.startsWith('?')
    ? await app.request(method, path + more, undefined, headers)
    : await app.request(method, path, more === '' ? undefined : more, headers);
  const left = answer.body?.errors?.[0]?.code as string | undefined;
  const said = answer.status < 400 && left ? `refusing ${left}` : saidOfRest(answer);
  return { said, text: textOf(answer.body) };
}

/** Requests everything that an operation can return. */
async function askGraphql({ row, named, own, headers }: Question): Promise<ReceivedAnswer> {
  const [name, , , , , , call = ''] = row;
  const operation = OPERATIONS.get(name);
  if (!operation) throw new Error(`There is no ${name}.`);
  const query = fullDocument(operation, filled(call, { named, own }));
  const { body } = await app.request('POST', '/graphql', { query }, headers);
  return { said: saidOfGraphql(body), text: textOf(body) };
}

function saidOfGraphql(body: any): string {
  const code = body?.errors?.[0]?.extensions?.code as string | undefined;
  if (code !== undefined) return code;
  const [value] = Object.values((body?.data ?? {}) as Record<string, any>);
  if (value === null) return 'null';
  if (value?.edges?.length === 0) return 'empty';
  const left = (value?.errors ?? value?.refused)?.[0]?.code as string | undefined;
  return left === undefined ? 'ok' : `refusing ${left}`;
}

test('things are of an environment where their tables have one', async () => {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'environment'`,
  );
  const apart = new Set(rows.map(({ name }) => name));
  // In these tables the environment says whose contacts a key or a run concerns; the records belong to the workspace.
  for (const table of ['api_keys', 'inspect_jobs']) apart.delete(table);
  for (const [kind, [table, environments]] of Object.entries(KINDS))
    expect([kind, environments]).toEqual([kind, apart.has(table) ? 'apart' : 'same']);
});

test('what REST is asked for by another’s id or name', async () => {
  expect(placesOf(FOREIGN_REST_ROWS)).toEqual(placesOfRest(OPEN).toSorted());
  const isReading = (operation: string): boolean => operation.startsWith('GET ');
  const { rest: house, neighbour } = houses;
  const fixture = { admin, house, neighbour, access: REST_ROWS, isReading, ask: askRest };
  const { cells, wrong } = await judgeForeign(fixture, FOREIGN_REST_ROWS);
  expect(wrong).toEqual([]);
  figure(`${cells} cells of REST`);
});

test('what GraphQL is asked for by another’s id or name', async () => {
  expect(placesOf(FOREIGN_GRAPHQL_ROWS)).toEqual(placesOfGraphql().toSorted());
  const isReading = (operation: string): boolean => OPERATIONS.get(operation)?.kind === 'query';
  const { graphql: house, neighbour } = houses;
  const fixture = { admin, house, neighbour, access: GRAPHQL_ROWS, isReading, ask: askGraphql };
  const { cells, wrong } = await judgeForeign(fixture, FOREIGN_GRAPHQL_ROWS);
  expect(wrong).toEqual([]);
  figure(`${cells} cells of GraphQL`);
});
