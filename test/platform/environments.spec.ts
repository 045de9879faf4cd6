/**
 * Work in both environments of a workspace within one transaction: each sees its own rows, and afterwards the
 * transaction is in its previous scope.
 */
import { DataSource } from 'typeorm';
import type { Transaction } from '../../src/platform/database/database.js';
import { Database } from '../../src/platform/database/database.js';
import { appOptions, dispatchPool } from '../../src/platform/database/data-source.js';
import { inEachEnvironment, enterEnvironment } from '../../src/platform/database/environments.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const WORKSPACE = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea' };

let fixture: TestDatabase;
let source: DataSource;
let database: Database;

beforeAll(async () => {
  fixture = await createTestDatabase();
  source = await new DataSource(appOptions(fixture.adminUrl, SCHEMA, 2)).initialize();
  database = new Database(source, dispatchPool(fixture.adminUrl), makeLogger('environments', 'silent'));
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await source.destroy();
  await fixture.drop();
});

async function scopeOf(tx: Transaction): Promise<Record<string, string> | undefined> {
  const [row] = await tx.query<Record<string, string>>(
    `SELECT current_setting('app.workspace_id') AS workspace, current_setting('app.environment') AS environment`,
  );
  return row;
}

const LIVE = { ...WORKSPACE, environment: 'live' as const };
const TEST = { ...WORKSPACE, environment: 'test' as const };

test('a transaction is moved once, and where a part of it that has moved it fails, it is where it was', async () => {
  await database.inScope(LIVE, async (tx) => {
    await enterEnvironment(tx, LIVE);
    await enterEnvironment(tx, TEST);
    expect(await scopeOf(tx)).toMatchObject({ environment: 'test' });
    const part = tx.inSavepoint(async () => {
      await enterEnvironment(tx, LIVE);
      expect(await scopeOf(tx)).toMatchObject({ environment: 'live' });
      throw new RangeError('This part fails.');
    });
    await expect(part).rejects.toThrow(RangeError);
    expect(await scopeOf(tx)).toMatchObject({ environment: 'test' });
    await enterEnvironment(tx, LIVE);
    expect(await scopeOf(tx)).toMatchObject({ environment: 'live' });
  });
});

test.each([
  ['a workspace', WORKSPACE, ''],
  ['an environment', { ...WORKSPACE, environment: 'test' as const }, 'test'],
])('a transaction of %s is one still', async (_, scope, environment) => {
  await database.inScope(scope, async (tx) => {
    const before = await scopeOf(tx);
    const seen: unknown[] = [];
    await inEachEnvironment(tx, scope, async (tenant) => {
      expect(await scopeOf(tx)).toEqual({ workspace: tenant.workspaceId, environment: tenant.environment });
      await tx.execute(
        `INSERT INTO segment_touches (workspace_id, environment, contact_id, touched_at)
         VALUES ($1, $2, gen_random_uuid(), now())`,
        [tenant.workspaceId, tenant.environment],
      );
      seen.push(...(await tx.query('SELECT DISTINCT environment FROM segment_touches')));
    });
    expect(seen).toEqual([{ environment: 'live' }, { environment: 'test' }]);
    expect(await scopeOf(tx)).toEqual(before);
    expect(before).toEqual({ workspace: WORKSPACE.workspaceId, environment });
  });
});
