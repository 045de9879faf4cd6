/**
 * Roles belong to the server, but locks to a database: installations that start concurrently on a new server must
 * not fail.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { SERVICE_ROLES, urlAs } from '../../src/platform/database/roles.js';
import { launchPostgres } from '../../src/platform/embedded/embedded-postgres.js';

const DATABASES = ['one', 'two', 'three', 'four', 'five', 'six'];
let folder: string;
let server: Awaited<ReturnType<typeof launchPostgres>>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'waypost-roles-')));
  server = await launchPostgres({
    dataDir: join(folder, 'data'),
    settings: { fsync: 'off', shared_buffers: '16MB' },
  });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const addressOf = (database: string) =>
  Object.assign(new URL(server.url), { pathname: `/${database}` }).toString();

async function onServer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test.each([
  ['makes the roles', 'first'],
  ['repairs the roles that another one made', 'second'],
])('six databases of a new server, brought up at the same moment: each %s', async (_, round) => {
  const names = DATABASES.map((name) => `${round}_${name}`);
  await onServer(server.url, async (client) => {
    for (const name of names) await client.query(`CREATE DATABASE ${name}`);
  });
  const outcomes = await Promise.allSettled(
    names.map((name) => migrate(addressOf(name), { entities: [], migrations: [] })),
  );
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'up'))).toEqual(
    names.map(() => 'up'),
  );
  for (const role of SERVICE_ROLES) {
    const { rows } = await onServer(urlAs(role, addressOf(names[0] ?? '')), (client) =>
      client.query<{ is: string }>('SELECT current_user AS is'),
    );
    expect(rows[0]?.is).toBe(role);
  }
});
