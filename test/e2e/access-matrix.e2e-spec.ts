/**
 * Who may call what (gate S1): each endpoint and each GraphQL operation, as each role, with a key of each scope,
 * without credentials, with wrong ones, and from another workspace. access-table.ts is the readable table of expected
 * answers. The endpoints come from openapi.json and schema.gql, so a new one without a row fails. With FAULTS=full
 * every caller calls every row; otherwise each row gets a sample of the outsiders.
 */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { GRAPHQL_ROWS, OPEN, REST_ROWS, type Row } from '../support/access-table.js';
import { CELLS_OF_A_ROW, cellsOf, judge, saidOfRest, type Judgement } from '../support/access-cells.js';
import { bootQuiet, build, canaryOf, connect, type House } from '../support/access-houses.js';
import type { TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';
import { leastDocument, NOWHERE, OPERATIONS } from '../support/graphql-documents.js';

let app: TestApp;
let admin: pg.Client;
let house: House;
let neighbour: House;

beforeAll(async () => {
  app = await bootQuiet();
  admin = await connect(app);
  house = await build(app, 'house');
  neighbour = await build(app, 'neighbour');
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});

const judgeRows = (
  rows: readonly Row[],
  ask: (name: string, headers: Record<string, string>) => Promise<string>,
): Promise<Judgement> =>
  judge(
    admin,
    rows.map((row, place) => [row[0], cellsOf(row, place, house, neighbour)]),
    ask,
  );

const showsNothing = (body: unknown): void => expect(JSON.stringify(body)).not.toContain(canaryOf(neighbour));

interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

function endpoints(): Endpoint[] {
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
  const all = new Map(endpoints().map((one) => [one.name, one]));
  expect([...REST_ROWS.map(([name]) => name), ...OPEN].toSorted()).toEqual([...all.keys()].toSorted());
  const { cells, wrong } = await judgeRows(REST_ROWS, async (name, headers) => {
    const { method, path } = all.get(name) as Endpoint;
    // Allowed callers learn that the body is missing, so the call changes nothing.
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{"nothing_of_that_name":1}';
    const answer = await app.request(method, path, body, headers);
    showsNothing(answer.body);
    return saidOfRest(answer);
  });
  expect(wrong).toEqual([]);
  expect(cells).toBe(REST_ROWS.length * CELLS_OF_A_ROW);
  figure(`${cells} cells of REST`);
});

test('every operation of GraphQL, as everybody', async () => {
  const documents = new Map([...OPERATIONS].map(([name, operation]) => [name, leastDocument(operation)]));
  expect(GRAPHQL_ROWS.map(([name]) => name).toSorted()).toEqual([...documents.keys()].toSorted());
  const { cells, wrong } = await judgeRows(GRAPHQL_ROWS, async (name, headers) => {
    const { status, body } = await app.request('POST', '/graphql', { query: documents.get(name) }, headers);
    showsNothing(body);
    const code = body?.errors?.[0]?.extensions?.code as string | undefined;
    return code ?? (status < 400 ? 'ok' : String(status));
  });
  expect(wrong).toEqual([]);
  expect(cells).toBe(GRAPHQL_ROWS.length * CELLS_OF_A_ROW);
  figure(`${cells} cells of GraphQL`);
});
