/**
 * Requests that name no object return only the caller's own data (gate S1): every GET of openapi.json and every query
 * of schema.gql that needs no id, in both environments, with every field selected. Where a search is possible, it looks
 * for a text that all workspaces share.
 */
import { readFileSync } from 'node:fs';
import { isRequiredArgument } from 'graphql';
import type pg from 'pg';
import { snakeCase } from '../../src/kernel/letter-case.js';
import { ENVIRONMENTS, type Environment } from '../../src/kernel/tenant-scope.js';
import { everything, fromElsewhere } from '../support/access-cells.js';
import {
  asFullKeyIn,
  asOwnerIn,
  bootFurnished,
  tracesOf,
  type FurnishedHouse,
} from '../support/access-houses.js';
import { GRAPHQL_ROWS, OPEN, REST_ROWS } from '../support/access-table.js';
import type { TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';
import { fullDocument, OPERATIONS } from '../support/graphql-documents.js';

/** Arguments that are sent where the operation accepts them. */
const ASKED = { search: 'canary', event_name: 'signed_up' };
/** They need one of two ids, so they are in the table of operations that name objects. */
const NAMING = ['previewFlowGraph', 'tripMoves'];
/** Operations whose results contain no text of the workspaces in this test. */
const WITHOUT_TEXTS: readonly string[] = [
  'GET /v1/analytics/export',
  'GET /v1/reports/fields',
  'GET /v1/inspect/credits',
  'GET /v1/inspect/config',
  'billingEvents',
  'cohort',
  'homeFigures',
  'inspectConfig',
  'inspectCredits',
  'promotionalSending',
  'reportFields',
  'sendingStatus',
  'stuckTrips',
  'usage',
];

let app: TestApp;
let admin: pg.Client;
let house: FurnishedHouse;
let neighbour: FurnishedHouse;

beforeAll(async () => {
  const furnished = await bootFurnished('house', 'neighbour');
  ({ app, admin } = furnished);
  ({ house, neighbour } = furnished.houses);
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});

/** The audit log belongs to the workspace: owners see changes of both environments. */
const OF_WORKSPACE = ['auditLog'];

interface List {
  readonly name: string;
  readonly isForPeople: boolean;
  readonly ask: (headers: Record<string, string>) => Promise<unknown>;
}

const isForPeople = (name: string): boolean =>
  [...REST_ROWS, ...GRAPHQL_ROWS].find(([each]) => each === name)?.[2].at(-1) === '-';

function listsOfRest(): List[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const name = `GET ${path}`;
    if (!get || path.includes('{') || OPEN.includes(name)) return [];
    const asked = Object.entries(ASKED).filter(([name]) =>
      get.parameters?.some((each) => each.name === name),
    );
    const query = asked.map(([name, value]) => `${name}=${value}`).join('&');
    return [
      {
        ...{ name, isForPeople: isForPeople(name) },
        ask: async (headers) =>
          (await app.request('GET', `${path}?${query}`, undefined, headers)).body as unknown,
      },
    ];
  });
}

function listsOfGraphql(): List[] {
  return [...OPERATIONS.values()]
    .filter(
      ({ kind, field: { name, args } }) =>
        kind === 'query' && !NAMING.includes(name) && !args.some(isRequiredArgument),
    )
    .map((operation) => {
      const { name, args } = operation.field;
      const asked = Object.entries(ASKED).flatMap(([snake, value]) => {
        const arg = args.find((each) => snakeCase(each.name) === snake);
        return arg ? [`${arg.name}: "${value}"`] : [];
      });
      const given = [...asked, ...(args.some((arg) => arg.name === 'first') ? ['first: 5'] : [])];
      const query = fullDocument(operation, given.length === 0 ? name : `${name}(${given.join(', ')})`);
      return {
        ...{ name, isForPeople: isForPeople(name) },
        ask: async (headers) => (await app.request('POST', '/graphql', { query }, headers)).body as unknown,
      };
    });
}

test('what is asked for without an id', async () => {
  const lists = [...listsOfRest(), ...listsOfGraphql()];
  const shown = new Set<string>();
  const wrong: string[] = [];
  let cells = 0;
  const check = async (list: List, environment: Environment, who: 'owner' | 'key'): Promise<void> => {
    cells++;
    const headers = (who === 'owner' ? asOwnerIn : asFullKeyIn)(environment, house);
    const body = await list.ask(fromElsewhere(headers));
    const text = JSON.stringify(body ?? null);
    const name = `${list.name} as ${who} in ${environment}`;
    const others = tracesOf(neighbour);
    if (!OF_WORKSPACE.includes(list.name))
      others.push(...tracesOf(house, environment === 'live' ? 'test' : 'live'));
    for (const trace of others) if (text.includes(trace)) wrong.push(`${name} shows ${trace}`);
    const isRefused = typeof body === 'object' && body !== null && ('errors' in body || 'detail' in body);
    const isForbidden = who === 'key' && list.isForPeople;
    if (isRefused !== isForbidden || (isRefused && !text.includes('control_plane_only')))
      wrong.push(`${name}: ${text}`);
    if (tracesOf(house).some((trace) => text.includes(trace))) shown.add(list.name);
  };
  const before = await everything(admin);
  for (const list of lists)
    for (const environment of ENVIRONMENTS)
      for (const who of ['owner', 'key'] as const) await check(list, environment, who);
  expect(wrong).toEqual([]);
  expect(await everything(admin)).toBe(before);
  // The texts that the checks above search for do appear in the results.
  expect(lists.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual(WITHOUT_TEXTS);
  figure(`${cells} cells without an id`);
});
