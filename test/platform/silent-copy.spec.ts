/**
 * A COPY that has nothing to write yet does not notice that its reader has gone. It must be cancelled, and its
 * connection and the workspace's permit released.
 */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { readerPool } from '../../src/platform/database/data-source.js';
import { ReaderDatabase } from '../../src/platform/database/reader-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const SCOPE = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' } as const;

let database: TestDatabase;
let admin: pg.Client;
let pool: pg.Pool;
let readerDatabase: ReaderDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  pool = readerPool(database.adminUrl);
  pool.on('error', () => undefined);
  readerDatabase = new ReaderDatabase(pool);
});
afterAll(async () => {
  await readerDatabase.onApplicationShutdown();
  await admin.end();
  await database.drop();
});

/** The number of COPYs that the server is running. */
async function copies(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE 'COPY%'`,
  );
  return rows[0]?.n ?? 0;
}

const silent = (): Promise<Readable> => readerDatabase.copy(SCOPE, 'SELECT pg_sleep(3600)', [], 'FORMAT csv');

test('it ends with its reader, and its connection and its share are free again', async () => {
  // As many as one workspace may run, twice in a row.
  for (let round = 1; round <= 2; round++) {
    const streams = [await silent(), await silent()];
    await expect(silent()).rejects.toMatchObject({ code: 'service_unavailable' });
    await until('both are at work', async () => (await copies()) === 2);
    for (const stream of streams) {
      stream.resume();
      stream.destroy();
    }
    await until('the server has ended them', async () => (await copies()) === 0);
    await until('no connection is out', () => pool.idleCount === pool.totalCount && pool.waitingCount === 0);
  }
  const last = await readerDatabase.copy(SCOPE, 'SELECT 1', [], 'FORMAT csv');
  last.resume();
  await once(last, 'end');
});
