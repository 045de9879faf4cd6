/**
 * Rollups plus pending changes always equal a count of the facts, at every level: after random work of two tenants
 * in both environments, late facts, retention, rollbacks, folding in small portions, and rebuilds. The test counts
 * in memory what it wrote.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { Rollups } from '../../src/modules/metrics/application/rollups.js';
import { LEVELS, ROLLUPS, type RollupName } from '../../src/modules/metrics/domain/rollup.js';
import { ActivityRepository } from '../../src/modules/metrics/persistence/activity.repository.js';
import { ROLLUP_COLUMNS } from '../../src/modules/metrics/persistence/rollup-sql.js';
import { RollupRepository } from '../../src/modules/metrics/persistence/rollup.repository.js';
import { appOptions, dispatchPool } from '../../src/platform/database/data-source.js';
import { Database, type Transaction } from '../../src/platform/database/database.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { explaining, nodesOf, rowsSeen, type Explained } from './query-plan.js';
import { act, START } from './rollup-acts.js';
import { Story } from './rollup-story.js';
import type { Written } from './written-facts.js';
import { runs } from '../support/test-scope.js';

let stored: TestDatabase;
let source: DataSource;
let database: Database;
let rollups: Rollups;
const sums = new RollupRepository();
const activity = new ActivityRepository();

beforeAll(async () => {
  stored = await createTestDatabase();
  source = await new DataSource(appOptions(stored.adminUrl, SCHEMA, 8)).initialize();
  const logger = makeLogger('rollups', 'silent');
  database = new Database(source, dispatchPool(stored.adminUrl), logger);
  rollups = new Rollups(database, sums, activity, logger);
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await source.destroy();
  await stored.drop();
});

/** The rows of a rollup at a level, including pending changes. */
async function kept(scopes: readonly TenantScope[], name: RollupName, level: number): Promise<unknown> {
  const { dimensions, counters } = ROLLUP_COLUMNS[name];
  const unit = level === LEVELS.day || level === LEVELS.dayByDomain ? 'day' : 'hour';
  const byDomain = level === LEVELS.dayByDomain || level === LEVELS.hourByDomain;
  const pendingDimensions = dimensions.map((each) =>
    each === 'domain' && !byDomain ? `'' AS domain` : each,
  );
  const shown = [...dimensions, 'retired'].map((each) => `${each}::text`).join(`, `);
  const all: Record<string, number[]> = {};
  for (const scope of scopes) {
    const rows = await database.inScope(scope, (tx) =>
      tx.query<{ key: (string | null)[]; sums: string[] }>(
        `SELECT ARRAY[${shown ? `${shown}` : ''}]::text[] AS key, at, ARRAY[${counters.map((each) => `sum(${each})`).join(', ')}]::text[] AS sums
         FROM (SELECT at, ${[...dimensions, 'retired', ...counters].join(', ')} FROM ${name}_rollups WHERE level = $1
           UNION ALL SELECT date_trunc('${unit}', at, 'UTC'), ${[...pendingDimensions, 'retired', ...counters].join(', ')} FROM ${name}_changes) AS s
         GROUP BY at, ${[...dimensions, 'retired'].join(', ')} HAVING ${counters.map((each) => `sum(${each}) <> 0`).join(' OR ')}`,
        [level],
      ),
    );
    for (const { key, at, sums: of } of rows as unknown as { key: string[]; at: Date; sums: string[] }[])
      all[[scope.workspaceId, scope.environment, at.toISOString(), ...key].join('|')] = of.map(Number);
  }
  return all;
}

async function expectExact(scopes: readonly TenantScope[], written: Written): Promise<void> {
  for (const name of ROLLUPS)
    for (const level of name === 'email' ? [0, 1, 2, 3] : [0, 1])
      expect([name, level, await kept(scopes, name, level)]).toEqual([
        name,
        level,
        written.counted(name, level),
      ]);
}

test('columns of the description are those of the tables', async () => {
  for (const name of ROLLUPS) {
    const rows: { name: string }[] = await source.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position`,
      [`${name}_rollups`],
    );
    const { dimensions, counters } = ROLLUP_COLUMNS[name];
    expect(rows.map((row) => row.name).toSorted()).toEqual(
      [...['workspace_id', 'environment', 'level', 'at'], ...dimensions, 'retired', ...counters].toSorted(),
    );
  }
});

test('whatever happens, sums and notes are what there is and was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 80, size: 'max' }), async (acts) => {
      const story = new Story({ database, rollups, sums });
      for (const one of acts) await story.play(one);
      await expectExact(story.scopes, story.written);
      for (const scope of story.scopes) await rollups.fold(scope, () => true);
      await expectExact(story.scopes, story.written);
    }),
    { numRuns: runs(25) },
  );
});

test('sums that are wrong are put right while others write and add', async () => {
  const story = new Story({ database, rollups, sums });
  const [scope] = story.scopes as [TenantScope];
  const acts = fc.sample(fc.array(act, { minLength: 150, maxLength: 150 }), 1)[0]!;
  for (const one of acts.slice(0, 75)) await story.play({ ...one, tenant: 0, isUndone: false });
  await rollups.fold(scope, () => true);
  await database.inScope(scope, async (tx) => {
    await tx.execute(`UPDATE email_rollups SET messages = messages + 7 WHERE NOT retired`);
    await tx.execute(`DELETE FROM trip_rollups WHERE NOT retired AND level = 0`);
    await tx.execute(`UPDATE event_rollups SET events = 0 WHERE level = 1 AND NOT retired`);
    await tx.execute(`DELETE FROM contact_rollups`);
  });
  const writing = (async () => {
    for (const one of acts.slice(75)) {
      if (one.kind === 'rebuild') continue;
      await story.play({ ...one, tenant: 0, isUndone: false });
      await rollups.fold(scope, () => true);
    }
  })();
  const corrected = await rollups.rebuild(scope);
  await writing;
  expect(corrected.email).toBeGreaterThan(0);
  expect(corrected.contact).toBeGreaterThan(0);
  await rollups.rebuild(scope);
  await expectExact([scope], story.written);
});

test('a tenant’s rows are joined and not looped over, however many they are, and nothing is written where sums agree', async () => {
  const CONTACTS = 2_000;
  const scope: TenantScope = { workspaceId: randomUUID(), environment: 'live' };
  const values = [scope.workspaceId, scope.environment, new Date(START)];
  await database.inScope(scope, async (tx) => {
    await tx.execute(
      `INSERT INTO contacts (workspace_id, environment, id, external_id, subscription_status, created_at, updated_at)
       SELECT $1, $2, gen_random_uuid(), 'many-' || i, 'subscribed', $3, $3 FROM generate_series(1, ${CONTACTS}) AS i`,
      values,
    );
    await tx.execute(
      `INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, occurred_at, received_at, processed_at)
       SELECT $1, $2, gen_random_uuid(), 'many-' || i, 'seen', '{}', $3::timestamptz + day * interval '1 day', $3, $3
       FROM generate_series(1, ${CONTACTS}) AS i CROSS JOIN generate_series(1, 3) AS day`,
      values,
    );
  });
  const seen: Record<string, number> = {};
  /** Records the most rows that any plan node read. Each runs in its own transaction, like a rebuild. */
  const watch = (name: string, work: (tx: Transaction) => Promise<unknown>): Promise<unknown> =>
    database.inScope(scope, (tx) =>
      work({
        ...tx,
        execute: async (sql, values) => {
          seen[name] = Math.max(...nodesOf(await tx.query<Explained>(explaining(sql), values)).map(rowsSeen));
          return 0;
        },
      }),
    );
  for (const name of ROLLUPS) await watch(name, (tx) => sums.correct(tx, scope, name));
  for (const name of ['activity, first', 'activity, again'])
    await watch(name, (tx) => activity.correct(tx, scope));
  // Each person counts in two levels and on three days; no plan node reads every row for every other row.
  expect(Object.keys(seen)).toEqual([...ROLLUPS, 'activity, first', 'activity, again']);
  for (const rows of Object.values(seen)) expect(rows).toBeLessThanOrEqual(10 * CONTACTS);
  const [kept] = await database.inScope(scope, (tx) =>
    tx.query<{ rows: number }>('SELECT count(*)::int AS rows FROM contact_activity'),
  );
  // The pipeline records activity and has not run: the rebuild adds three days and two weeks for each person.
  expect(kept?.rows).toBe(5 * CONTACTS);
  expect(Object.values(await rollups.rebuild(scope)).filter((count) => count !== 0)).toEqual([]);
});
