/**
 * What is recorded about claimed rows: nothing while all processes exit cleanly. After a crash, the records
 * distinguish rows that repeatedly crash a process from rows that were merely claimed.
 * test/faults/poisonous-row.fault-spec.ts kills processes.
 */
import pg from 'pg';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

async function count(sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`, values);
  return rows[0]?.n ?? 0;
}

/** Rows ever inserted, from the server's statistics, which include finished transactions after a short delay. */
async function everWritten(): Promise<number> {
  const { rows } = await admin.query<{ n: string }>(
    `SELECT n_tup_ins AS n FROM pg_stat_user_tables WHERE relname = 'work_in_hand'`,
  );
  return Number(rows[0]?.n);
}

async function pending(workspace: TestWorkspace, names: readonly string[]): Promise<void> {
  await admin.query(
    `INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, occurred_at, received_at)
     SELECT $1::uuid, 'live', md5($1::uuid::text || name)::uuid, name, 'signed_up', '{}', now(), now() FROM unnest($2::text[]) AS name`,
    [workspace.id, names],
  );
}

/** The state after a process died with claimed events, each with its number of earlier `deaths`. */
async function died(workspace: TestWorkspace, number: number, deaths: Record<string, number>): Promise<void> {
  await admin.query(
    `INSERT INTO work_in_hand (workspace_id, environment, kind, subject_id, holder, deaths, taken_at)
     SELECT $1::uuid, 'live', 'event', md5($1::uuid::text || key)::uuid, $2, value::int, now() FROM jsonb_each_text($3)`,
    [workspace.id, number, deaths],
  );
}

const done = (workspace: TestWorkspace): Promise<number> =>
  count('contacts WHERE workspace_id = $1', [workspace.id]);

test('while nobody has died nothing is written', async () => {
  const workspace = await app.workspace();
  await pending(workspace, ['ada', 'bob', 'eve']);
  await until('they are done', async () => (await done(workspace)) === 3);
  expect(await count('process_lives WHERE ended_at IS NULL')).toBe(1);
  await admin.query('SELECT pg_stat_force_next_flush()');
  expect(await everWritten()).toBe(0);
});

describe('after a death', () => {
  beforeAll(async () => {
    const presence = app.app.get(ProcessLease);
    await presence.number();
    await admin.query('INSERT INTO process_lives (number) VALUES (4711)');
    await until('it is seen', () => presence.hasRecentCrash);
  });

  test('what is in hand is written down, and forgotten when it is done', async () => {
    const workspace = await app.workspace();
    const before = await everWritten();
    await pending(workspace, ['ada', 'bob']);
    await until('they are done', async () => (await done(workspace)) === 2);
    await until('it was written', async () => (await everWritten()) >= before + 2);
    await until('it is forgotten', async () => (await count('work_in_hand')) === 0);
  });

  test('rows that merely were there are done; the one with which process after process died is set aside', async () => {
    const workspace = await app.workspace();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await died(workspace, 4711, { b: 0, d: 2, e: 1 });
    await pending(workspace, names);
    await until('six are done', async () => (await done(workspace)) === 6);
    await until('one is set aside', async () => (await count('set_aside_work')) === 1);
    const { rows } = await admin.query(
      `SELECT kind, code, external_id FROM set_aside_work s JOIN events e ON e.id = s.subject_id`,
    );
    expect(rows).toEqual([{ kind: 'event', code: 'worker_died', external_id: 'd' }]);
    const { values } = await app.app.get(Metrics).deadLetters.get();
    expect(values).toMatchObject([{ labels: { kind: 'event' }, value: 1 }]);
    await until('nothing is in hand', async () => (await count('work_in_hand')) === 0);
  });

  test('what others have in hand counts nothing while they live', async () => {
    const workspace = await app.workspace();
    const other = new pg.Client({ connectionString: app.adminUrl });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(7288, 4712)');
    await died(workspace, 4712, { a: 2 });
    await pending(workspace, ['a']);
    await until('it is done', async () => (await done(workspace)) === 1);
    await other.end();
  });
});

test('a process that ends in order takes leave', async () => {
  await app.app.get(ProcessLease).number();
  expect(await count('process_lives WHERE ended_at IS NULL')).toBe(1);
  await app.end();
  expect(await count('process_lives WHERE ended_at IS NULL')).toBe(0);
});
