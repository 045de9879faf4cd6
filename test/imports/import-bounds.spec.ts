/**
 * Limits on import jobs: their cost and storage, and how they react to the workspace's plan and state, to a change
 * of the platform account, and to the data of sources.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { JsonValue } from '../../src/kernel/json.js';
import { SourceFailure } from '../../src/modules/imports/domain/import-source.js';
import {
  FAILED_SEEN_KEYS_TTL_MS,
  PAGE_LIMITS,
  MAX_WORKING_JOBS,
  SUSPENDED_CHECK_MS,
  MAX_CLAIMED_WORKSPACES,
} from '../../src/modules/imports/domain/work-limits.js';
import { ImportSeenRepository } from '../../src/modules/imports/persistence/import-seen.repository.js';
import { Database, type Transaction } from '../../src/platform/database/database.js';
import { APP_ROLE } from '../../src/platform/database/roles.js';
import { until } from '../support/until.js';
import { CREDENTIALS, layEngine } from './support/engine-fixture.js';
import { contact, ListSource } from './support/list-source.js';

const fixture = layEngine();

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has read, in all of its nodes. */
function rowsOf(node: PlanNode): number {
  const own =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
}

/** A transaction that counts the rows its statements read, and returns none. */
function counting(tx: Transaction): { readonly tx: Transaction; readonly looked: () => number } {
  let looked = 0;
  const explain = async (sql: string, values?: readonly unknown[]): Promise<void> => {
    const [row] = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values,
    );
    looked += row ? rowsOf(row['QUERY PLAN'][0]!.Plan) : 0;
  };
  const counted: Transaction = {
    ...tx,
    query: async (sql: string, values?: readonly unknown[]) => explain(sql, values).then(() => []),
    execute: async (sql: string, values?: readonly unknown[]) => explain(sql, values).then(() => 0),
  };
  return { tx: counted, looked: () => looked };
}

test.each(['none', 'true', 'of an empty table'])(
  'what a job that has ended had come across is forgotten row by row (statistics: %s)',
  async (statistics) => {
    const { workspace, admin, app } = fixture;
    const scope = { workspaceId: workspace.id, environment: 'live' } as const;
    const jobId = await fixture.job(new ListSource([contact(1, 'f')], 1));
    await fixture.ended(jobId);
    const keys = 8_000;
    await admin.query(
      `INSERT INTO import_seen SELECT $1, 'live', $2, decode(md5(n::text), 'hex') FROM generate_series(1, $3::int) AS n`,
      [workspace.id, jobId, keys],
    );
    if (statistics === 'true') await admin.query('ANALYZE import_seen');
    if (statistics === 'of an empty table')
      await admin.query(
        `UPDATE pg_class SET reltuples = 0, relpages = 1000 WHERE oid IN ('import_seen'::regclass, 'import_seen_pkey'::regclass)`,
      );
    const seen = new ImportSeenRepository();
    const looked = await app.app.get(Database, { strict: false }).inScope(scope, async (tx) => {
      const counted = counting(tx);
      await seen.deleteSome(counted.tx, scope, keys + 100, app.clock.now());
      return counted.looked();
    });
    const { rows } = await admin.query('SELECT FROM import_seen WHERE job_id = $1', [jobId]);
    expect(rows).toEqual([]);
    expect(looked).toBeLessThan(keys * 10);
  },
);

test.each([false, true])(
  'what a dry run has come across costs nothing to whoever asks for others (statistics: %s)',
  async (hasStatistics) => {
    const { workspace, admin, app } = fixture;
    const scope = { workspaceId: workspace.id, environment: 'live' } as const;
    const jobId = randomUUID();
    await admin.query(
      `INSERT INTO import_seen SELECT $1, 'live', $2, decode(md5(n::text), 'hex') FROM generate_series(1, 20000) AS n`,
      [workspace.id, jobId],
    );
    if (hasStatistics) await admin.query('ANALYZE import_seen');
    const keys = Array.from({ length: 500 }, (_, n) =>
      createHash('md5')
        .update(String(n + 19_750))
        .digest('hex'),
    );
    const seen = new ImportSeenRepository();
    const [found, rows] = await app.app.get(Database, { strict: false }).inScope(scope, async (tx) => {
      const counted = counting(tx);
      await seen.among(counted.tx, scope, jobId, keys);
      return [await seen.among(tx, scope, jobId, keys), counted.looked()];
    });
    expect(found).toEqual(new Set(keys.filter((_, n) => n + 19_750 >= 1 && n + 19_750 <= 20_000)));
    expect(rows).toBeLessThan(keys.length * 10);
  },
);

test('what cannot be tidied keeps no job from its turn', async () => {
  await fixture.admin.query(`REVOKE DELETE ON import_seen FROM ${APP_ROLE}`);
  try {
    const ids = [];
    for (const name of ['t-1', 't-2']) ids.push(await fixture.job(new ListSource([contact(1, name)], 1)));
    for (const id of ids) expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 1 });
  } finally {
    await fixture.admin.query(`GRANT DELETE ON import_seen TO ${APP_ROLE}`);
  }
});

test('those who wait for slow platforms keep nobody from getting on', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const crowd = MAX_WORKING_JOBS * 2;
  expect(crowd).toBeLessThan(MAX_CLAIMED_WORKSPACES);
  const own = fixture.workspace;
  const slow: string[] = [];
  const sources: ListSource[] = [];
  for (let n = 0; n < crowd; n++) {
    fixture.workspace = await fixture.app.workspace();
    const source = new ListSource([contact(1, 'a'), contact(2, 'b')], 1);
    source.before = () => held;
    sources.push(source);
    slow.push(await fixture.job(source));
  }
  await until('all of them wait for their pages', () => sources.every(({ asked }) => asked.length > 0));
  fixture.workspace = own;
  const quick = await fixture.job(new ListSource([contact(1, 'c')], 1));
  expect(await fixture.ended(quick)).toMatchObject({ status: 'completed', imported: 1 });
  for (const id of slow) expect(await fixture.row(id)).toMatchObject({ status: 'running', imported: 0 });
  release();
  for (const id of slow) expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 2 });
});

test('a workspace whose plan has no migrations any more gets no further', async () => {
  const records = Array.from({ length: 4 }, (_, n) => contact(n + 1, `d-${n}`));
  const source = new ListSource(records, 2);
  source.isApart = true;
  source.before = async (at) => {
    if (at === 0) await fixture.plan('free');
  };
  const id = await fixture.job(source);
  expect(await fixture.ended(id)).toMatchObject({
    ...{ status: 'failed', error_code: 'plan_limit_reached', imported: 2, credentials: null },
  });
  await fixture.plan('starter');
  await fixture.resume(id, CREDENTIALS);
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 4 });
});

test.each([
  ['suspended', `status = 'suspended'`, `status = 'active'`],
  ['to be deleted', `deletion_at = now() + interval '30 days'`, 'deletion_at = NULL'],
])('a workspace that is %s waits', async (_, begin, end) => {
  const set = async (change: string): Promise<void> => {
    await fixture.admin.query(`UPDATE workspaces SET ${change} WHERE id = $1`, [fixture.workspace.id]);
  };
  await set(begin);
  const source = new ListSource([contact(1, 'w')], 1);
  const id = await fixture.job(source);
  const { due_at: asked } = await fixture.row(id);
  await until('the job was put off', async () => ((await fixture.row(id)).due_at ?? 0) > (asked ?? 0));
  expect(await fixture.row(id)).toMatchObject({ status: 'queued', imported: 0 });
  expect(source.asked).toEqual([]);
  await set(end);
  fixture.app.clock.wind(SUSPENDED_CHECK_MS);
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 1 });
});

test('an address that is refused is found in either spelling of its domain', async () => {
  const emails = {
    a: 'a@bücher.example',
    b: 'B@BÜCHER.example',
    c: 'c@xn--bcher-kva.example',
    d: 'd@bücher.example',
  };
  for (const [id, email] of Object.entries(emails))
    expect((await fixture.workspace.call('POST', '/v1/contacts', { external_id: id, email })).status).toBe(
      201,
    );
  const refused = ['a@xn--bcher-kva.example', 'b@bücher.example', 'C@BÜCHER.example'];
  const id = await fixture.job(
    new ListSource(
      refused.map((email) => ({ kind: 'suppression', email, reason: 'bounced' })),
      3,
    ),
  );
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', suppressed: 3 });
  const contacts = await fixture.contacts();
  expect(['a', 'b', 'c', 'd'].map((each) => contacts[each].status)).toEqual([
    ...['unsubscribed', 'unsubscribed', 'unsubscribed', 'subscribed'],
  ]);
});

test('what else a platform has is kept under names that can be stored', async () => {
  const source = new ListSource([contact(1, 'n')], 1);
  const names = ['a\0b', 'x\ud800y', 'z'.repeat(100_000)];
  source.assets = () => Promise.resolve(names.map((name) => ({ kind: 'list', name, detail: null })));
  const id = await fixture.job(source);
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 1 });
  const { rows } = await fixture.admin.query(
    'SELECT name FROM import_findings WHERE job_id = $1 ORDER BY number',
    [id],
  );
  expect(rows).toEqual([{ name: 'ab' }, { name: 'x\ufffdy' }, { name: 'z'.repeat(500) }]);
});

test("another account's records are read from their beginning, the same one's from where the job was", async () => {
  const source = new ListSource(
    Array.from({ length: 15 }, (_, n) => contact(n + 1, `o-${n}`)),
    5,
  );
  let refuses = true;
  source.before = (at) => {
    if (at === 10 && refuses) throw new SourceFailure('platform_unavailable', 'Not now.');
  };
  const id = await fixture.job(source);
  expect(await fixture.ended(id)).toMatchObject({ status: 'failed', imported: 10 });
  await fixture.resume(id, CREDENTIALS);
  expect(await fixture.ended(id)).toMatchObject({ status: 'failed', imported: 10 });
  refuses = false;
  await fixture.resume(id, { ...CREDENTIALS, extra: { region: 'eu' } });
  expect(await fixture.ended(id)).toMatchObject({
    ...{ status: 'completed', imported: 25, created_contacts: 15, updated_contacts: 0, total: 25 },
  });
  expect(source.asked).toEqual([0, 5, 10, 10, 0, 5, 10]);
});

test.each([
  ['records', { records: PAGE_LIMITS.records + 1 }],
  ['bytes', { bytes: PAGE_LIMITS.bytes }],
  ['cursor', { cursor: PAGE_LIMITS.cursor }],
])(
  'a page beyond its bound of %s fails the job',
  async (_, { records = 1, bytes = 0, cursor = 0 }: Excess) => {
    const source = new ListSource([], 1);
    source.page = () =>
      Promise.resolve({
        records: Array.from({ length: records }, (__, n) =>
          contact(n + 1, `b-${n}`, { text: 'x'.repeat(bytes) }),
        ),
        next: cursor === 0 ? null : { at: 'x'.repeat(cursor) },
      });
    const id = await fixture.job(source);
    expect(await fixture.ended(id)).toMatchObject({
      status: 'failed',
      error_code: 'internal_error',
      imported: 0,
    });
  },
);

interface Excess {
  readonly records?: number;
  readonly bytes?: number;
  readonly cursor?: number;
}

test('a record that is nested without end is an error, and costs no other', async () => {
  let deep: JsonValue = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const id = await fixture.job(new ListSource([contact(1, 'deep', { deep }), contact(2, 'flat')], 2));
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 1, failed: 1 });
  expect(await fixture.errors(id)).toEqual([{ row: 1, external_id: 'deep', code: 'validation_error' }]);
});

test('whom a failed job has come across is forgotten after a week, and not before', async () => {
  const source = new ListSource([contact(1, 'f'), contact(2, 'g')], 1);
  source.before = (at) => {
    if (at === 1) throw new SourceFailure('platform_unavailable', 'Not now.');
  };
  const id = await fixture.job(source);
  expect(await fixture.ended(id)).toMatchObject({ status: 'failed', imported: 1 });
  const kept = async (): Promise<number> => {
    const { rowCount } = await fixture.admin.query('SELECT FROM import_seen WHERE job_id = $1', [id]);
    return rowCount ?? 0;
  };
  expect(await kept()).toBe(1);
  fixture.app.clock.wind(FAILED_SEEN_KEYS_TTL_MS - 60_000);
  await fixture.ended(await fixture.job(new ListSource([contact(1, 'h')], 1)));
  expect(await kept()).toBe(1);
  fixture.app.clock.wind(120_000);
  await until('they are forgotten', async () => (await kept()) === 0);
});
