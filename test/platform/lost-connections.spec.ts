/** A lost connection fails only the queries on it, and does not stop the process. */
import type { Pool, PoolClient } from 'pg';
import type { Socket } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { appOptions } from '../../src/platform/database/data-source.js';
import { isUnreachable } from '../../src/platform/database/database.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** Properties of a pg connection that its types omit. */
type Shown = PoolClient & { readonly processID: number; readonly connection: { readonly stream: Socket } };

let fixture: TestDatabase;
let admin: pg.Client;
let source: DataSource;
let pool: Pool;

beforeAll(async () => {
  fixture = await createTestDatabase();
  admin = new pg.Client({ connectionString: fixture.adminUrl });
  await admin.connect();
  source = await new DataSource(appOptions(fixture.adminUrl, SCHEMA, 1)).initialize();
  pool = (source.driver as unknown as { master: Pool }).master;
});
afterAll(async () => {
  await source.destroy();
  await admin.end();
  await fixture.drop();
});

async function stateOf(pid: number): Promise<string | undefined> {
  const { rows } = await admin.query<{ state: string }>('SELECT state FROM pg_stat_activity WHERE pid = $1', [
    pid,
  ]);
  return rows[0]?.state;
}

test('a connection that ends as it goes from hand to hand', async () => {
  let client: Shown | undefined;
  pool.once('acquire', (acquired: PoolClient) => {
    client = acquired as Shown;
    client.connection.stream.pause();
  });
  const first = pool.query('SELECT 1 AS one');
  await until('the first has a connection', () => client !== undefined);
  const second = source.query('SELECT 2');
  second.catch(() => undefined);
  const { processID, connection } = client as unknown as Shown;
  await until('the first is answered', async () => (await stateOf(processID)) === 'idle');
  await admin.query('SELECT pg_terminate_backend($1)', [processID]);
  await until('its connection has ended', async () => (await stateOf(processID)) === undefined);

  // The answer and the end arrive together: the second query already has the connection and has not noticed the
  // end.
  connection.stream.resume();
  expect((await first).rows).toEqual([{ one: 1 }]);
  expect(isUnreachable(await second.catch((error: unknown) => error))).toBe(true);
  expect(await source.query('SELECT 3 AS three')).toEqual([{ three: 3 }]);
});
