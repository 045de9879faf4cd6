/**
 * Links and images are requested over the network, each URL once and within limits. Results are cached for a
 * while, separately for each workspace.
 */
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ResourceChecks } from '../../src/modules/inspect/application/resource-checks.js';
import { ResourceFetcher } from '../../src/modules/inspect/application/resource-fetcher.js';
import { ShownImages } from '../../src/modules/inspect/application/shown-images.js';
import type { Resource } from '../../src/modules/inspect/domain/analysis/analysis.js';
import type { CheckOutcome } from '../../src/modules/inspect/domain/runs/check.js';
import { InspectFetchRepository } from '../../src/modules/inspect/persistence/inspect-fetch.repository.js';
import { DUE_ANSWERS } from '../../src/modules/inspect/queue/inspections.work.js';
import { appOptions, dispatchPool } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { findTenants } from '../../src/platform/queue/poller.js';
import { GuardedFetch } from '../../src/platform/outbound/guarded-fetch.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { ManualClock, MINUTE } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const NEVER = new AbortController().signal;
const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x58\0\0\x01\x2c\x08\x06\0\0\0', 'latin1'),
  Buffer.alloc(1_000),
]);

let stored: TestDatabase;
let source: DataSource;
let database: Database;
let admin: pg.Client;
let server: http.Server;
let origin: string;
/** The requests received, as `METHOD /path`. */
let asked: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

let clock: ManualClock;
let outbound: GuardedFetch;
let fetches: InspectFetchRepository;
let checks: ResourceChecks;
let scope: { readonly workspaceId: string };

beforeAll(async () => {
  stored = await createTestDatabase();
  admin = new pg.Client({ connectionString: stored.adminUrl });
  await admin.connect();
  source = await new DataSource(appOptions(stored.adminUrl, SCHEMA, 4)).initialize();
  database = new Database(source, dispatchPool(stored.adminUrl), makeLogger('resource checks', 'silent'));
  server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await database.onApplicationShutdown();
  await source.destroy();
  await admin.end();
  await stored.drop();
});
beforeEach(() => {
  asked = [];
  answer = (_, response) => response.end();
  clock = new ManualClock();
  outbound = new GuardedFetch({
    lookUp: async (host) => {
      if (host.endsWith('.private.example')) return ['10.0.0.1'];
      throw new Error(`Nobody knows ${host}.`);
    },
  });
  fetches = new InspectFetchRepository(database);
  checks = new ResourceChecks(fetches, fetcher(), clock);
  scope = { workspaceId: randomUUID() };
});
afterEach(() => outbound.close());

const fetcher = (): ResourceFetcher =>
  new ResourceFetcher(outbound, { inspectAllowHosts: [origin.slice('http://'.length)] });

const resource = (kind: Resource['kind'], path: string, at = 0): Resource => {
  const address = path.startsWith('/') ? `${origin}${path}` : path;
  return { kind, address, at, until: at + 1 };
};
const link = (path: string, at = 0): Resource => resource('link', path, at);
const image = (path: string, at = 0): Resource => resource('image', path, at);
const rulesOf = (outcome: CheckOutcome | undefined): string[] =>
  (outcome?.findings ?? []).map(({ rule, target, message }) => `${rule} ${target ?? elementIn(message)}`);
/** The element that a finding's message names. */
const elementIn = (message: string): string =>
  message.replace(
    /^The (link|image) “([^”]*)”.*$/s,
    (_all, kind: string, address: string) => `<${kind} ${address.replace(origin, '')}>`,
  );

test('a message without links and images has both checks done', async () => {
  expect(await checks.check(scope, [], NEVER)).toEqual([
    { name: 'links', status: 'done', detail: null, findings: [] },
    { name: 'images', status: 'done', detail: null, findings: [] },
  ]);
});

test('links and images are judged by what their addresses answer', async () => {
  answer = ({ url, method }, response) => {
    switch (url) {
      case '/gone':
        return response.writeHead(410).end();
      case '/no-head':
        return response.writeHead(method === 'HEAD' ? 405 : 200).end();
      case '/head-is-missing':
        return response.writeHead(method === 'HEAD' ? 404 : 200).end();
      case '/in':
        return response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      case '/circle':
        return response.writeHead(302, { location: '/circle' }).end();
      case '/moved':
        return response.writeHead(301, { location: '/' }).end();
      case '/picture.png':
        return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
      case '/page.png':
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Not found');
      case '/large.png':
        // Sends no content length.
        response.writeHead(200, { 'content-type': 'image/png' }).write(PNG);
        return response.end(Buffer.alloc(1_048_576));
      case '/said.png':
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '900000' });
        return response.write(Buffer.concat([PNG, Buffer.alloc(100_000)]));
      default:
        return response.end();
    }
  };
  const [links, images] = await checks.check(
    scope,
    [
      ...['/', '/gone', '/no-head', '/head-is-missing', '/in', '/circle', '/moved'].map((path) => link(path)),
      ...['http://1.private.example/', 'http://nobody.example/', 'http://127.0.0.1:1/', 'http://[::1]/'].map(
        (path) => link(path),
      ),
      ...['/picture.png', '/page.png', '/large.png', '/said.png', '/gone', '/in'].map((path) => image(path)),
    ],
    NEVER,
  );
  expect(rulesOf(links)).toEqual([
    'link_missing <link /gone>',
    'link_private_redirect <link /in>',
    'link_redirect_loop <link /circle>',
    'link_permanent_redirect <link /moved>',
    'link_private <link http://1.private.example/>',
    'link_host_unknown <link http://nobody.example/>',
    'link_port_blocked <link http://127.0.0.1:1/>',
    'link_private <link http://[::1]/>',
  ]);
  expect(rulesOf(images)).toEqual([
    'image_not_an_image <image /page.png>',
    'image_too_large <image /large.png>',
    'image_heavy <image /said.png>',
    'image_missing <image /gone>',
    'image_private_redirect <image /in>',
    'image_total_heavy images',
  ]);
});

test('an address is asked once, and each element that has it is found', async () => {
  answer = (_, response) => response.writeHead(404).end();
  const [links] = await checks.check(scope, [link('/a', 1), link('/a', 2), link('/a', 3)], NEVER);
  expect(links?.findings.map(({ at }) => at)).toEqual([1, 2, 3]);
  expect(asked).toEqual(['HEAD /a', 'GET /a']);
});

test('an address is asked as a link and as an image, each for itself', async () => {
  await checks.check(scope, [link('/a'), image('/a')], NEVER);
  expect(asked.sort()).toEqual(['GET /a', 'HEAD /a']);
});

test('what was answered without a fault counts for an hour, for its workspace alone', async () => {
  const look = async (where = scope): Promise<string[]> =>
    rulesOf((await checks.check(where, [link('/a')], NEVER))[0]);
  expect(await look()).toEqual([]);
  clock.wind(59 * MINUTE);
  answer = (_, response) => response.writeHead(404).end();
  expect(await look()).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(await look({ workspaceId: randomUUID() })).toEqual(['link_missing <link /a>']);
  clock.wind(MINUTE);
  expect(await look()).toEqual(['link_missing <link /a>']);
  expect(asked).toHaveLength(5);
});

test.each([
  [404, 'link_missing'],
  [410, 'link_missing'],
  [403, 'link_forbidden'],
  [503, 'link_server_error'],
])('a fault counts for a minute, so that a page that is corrected is found so: %d', async (status, rule) => {
  answer = (_, response) => response.writeHead(status).end();
  const look = async (): Promise<string[]> => rulesOf((await checks.check(scope, [link('/a')], NEVER))[0]);
  expect(await look()).toEqual([`${rule} <link /a>`]);
  clock.wind(MINUTE - 1);
  answer = (_, response) => response.end();
  expect(await look()).toEqual([`${rule} <link /a>`]);
  clock.wind(1);
  expect(await look()).toEqual([]);
});

test('what is older than an hour is forgotten, and so is what is beyond five thousand', async () => {
  await admin.query(
    `INSERT INTO inspect_fetches (workspace_id, kind, address_hash, outcome, fetched_at)
     SELECT $1, 'link', 'hash ' || number, '{}', $2::timestamptz - number * interval '500 milliseconds'
     FROM generate_series(1, 8000) AS number`,
    [scope.workspaceId, clock.now()],
  );
  await checks.check(scope, [link('/a')], NEVER);
  const { rows } = await admin.query<{ rows: string; hash: string }>(
    `SELECT count(*) AS rows, max(length(address_hash)) AS hash FROM inspect_fetches WHERE workspace_id = $1`,
    [scope.workspaceId],
  );
  expect(rows).toEqual([{ rows: '5000', hash: 64 }]);
});

test('two hundred addresses are looked at, and it is said how many are not', async () => {
  const paths = Array.from({ length: 203 }, (_, index) => `/${index}`);
  const [links, images] = await checks.check(scope, [...paths.map((path) => link(path)), image('/b')], NEVER);
  expect(asked).toHaveLength(200);
  expect(links).toMatchObject({
    status: 'failed',
    detail: 'Not checked: 3 addresses beyond the first 200 of the message.',
  });
  expect(images).toMatchObject({
    status: 'failed',
    detail: 'Not checked: 1 address beyond the first 200 of the message.',
  });
});

test('what could not be asked in time is said, not found at fault, and not kept', async () => {
  answer = ({ url }, response) => (url === '/quick' ? response.end() : undefined);
  const resources = [link('/quick'), link('/slow'), image('/slow')];
  const [links, images] = await checks.check(scope, resources, NEVER, { budget: 300 });
  const detail = 'Not checked because of the time limit: 1 address.';
  expect(links).toEqual({ name: 'links', status: 'failed', detail, findings: [] });
  expect(images).toEqual({ name: 'images', status: 'failed', detail, findings: [] });
  const { rows } = await admin.query('SELECT 1 FROM inspect_fetches WHERE workspace_id = $1', [
    scope.workspaceId,
  ]);
  expect(rows).toHaveLength(1);
});

test('a run that is ended asks no more, and leaves no connection', async () => {
  answer = () => undefined;
  const run = new AbortController();
  const check = checks.check(
    scope,
    Array.from({ length: 30 }, (_, index) => link(`/${index}`)),
    run.signal,
  );
  await until('some are asked', () => asked.length === 3);
  run.abort(new Error('The worker ends.'));
  await expect(check).rejects.toThrow('The worker ends.');
  await until('no connection is left', async () => (await connections()) === 0);
  expect(asked).toHaveLength(3);
  await expect(checks.check(scope, [link('/x')], run.signal)).rejects.toThrow('The worker ends.');
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

test('images are taken for pictures, also those that were asked lately, and nothing that is none or is too large', async () => {
  const dimensions = (width: number, height: number): Buffer => {
    const png = Buffer.from(PNG);
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    return png;
  };
  const long = Buffer.concat([PNG, Buffer.alloc(200_000, 1)]);
  const images: Readonly<Record<string, Buffer>> = {
    '/a.png?x=1': PNG,
    '/long': long,
    '/many-pixels': dimensions(20_000, 1_001),
    '/as-many-as-may-be': dimensions(20_000, 1_000),
    '/page': Buffer.from('<html>no image</html>'),
    '/drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    '/bytes': Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]),
  };
  answer = ({ url }, response) => response.end(images[url ?? '']);
  const resources = Object.keys(images).map((path) => image(`${path}#there`));
  await checks.check(scope, resources, NEVER);
  asked = [];
  const shown = new ShownImages();
  const outcomes = await checks.check(scope, resources, NEVER, { shown });
  const known = await checks.check(scope, resources, NEVER);
  expect(outcomes).toEqual(known);
  expect(asked.sort()).toEqual(['GET /a.png?x=1', 'GET /as-many-as-may-be', 'GET /bytes', 'GET /long']);
  const kept = new Map([...shown.byAddress].map(([address, each]) => [address, each.bytes.length]));
  expect(kept).toEqual(
    new Map([
      [`${origin}/a.png?x=1`, PNG.length],
      [`${origin}/long`, long.length],
      [`${origin}/as-many-as-may-be`, PNG.length],
    ]),
  );
});

test.each([
  ['sixty', 70, 0, 60],
  ['eight megabytes', 12, 1_000_000, 8],
])('no more than %s are taken', (_, count, bytes, most) => {
  const shown = new ShownImages();
  for (let index = 0; index < count; index++)
    shown.add(`https://acme.com/${index}`, Buffer.concat([PNG, Buffer.alloc(bytes)]));
  expect(shown.byAddress.size).toBe(most);
});

test('what was answered is forgotten in a workspace that asks for nothing more', async () => {
  const rows = async (): Promise<number> =>
    (await admin.query('SELECT 1 FROM inspect_fetches WHERE workspace_id = $1', [scope.workspaceId])).rows
      .length;
  const due = async (): Promise<Date | undefined> =>
    (await findTenants(database, DUE_ANSWERS, clock.now())).find(
      (each) => each.workspace_id === scope.workspaceId,
    )?.due_at;
  const asked = clock.now().getTime();
  await checks.check(scope, [link('/one'), link('/two')], NEVER);
  expect(await due()).toEqual(new Date(asked + 120 * MINUTE));
  await fetches.deleteExpired(scope, clock.now());
  expect(await rows()).toBe(2);
  clock.wind(60 * MINUTE);
  await fetches.deleteExpired(scope, clock.now());
  expect([await rows(), await due()]).toEqual([0, undefined]);
});
