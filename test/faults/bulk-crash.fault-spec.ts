/**
 * Bulk requests survive the death of the API in the middle: a bulk or a batch either took effect and was answered, or
 * can be sent again with the same result. No bulk is stored partially, no idempotency key has two events, and the
 * stored number of contacts is correct.
 */
import pg from 'pg';
import { figure } from '../support/figure.js';
import { workspaceAt, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

const SIZE = repetitions({ short: 500, full: 1_000 });
/** A workspace may send ten bulk requests a minute; this file clears the rate windows at each start. */
const BULKS = repetitions({ short: 3, full: 4 });
const BATCHES = repetitions({ short: 12, full: 24 });
const PER_BATCH = 50;
/** The API is killed after this many requests of a round were answered, with others in flight. */
const BULK_KILLS = repetitions({ short: [1], full: [0, 1, 2, 3] });
const BATCH_KILLS = repetitions({ short: [0, 4], full: [0, 1, 4, 9, 16] });

type Sent = { readonly status: number; readonly body: any } | undefined;

let fixture: WorkerFixture;
let admin: pg.Client;
let url: string;
let api: ServiceProcess | undefined;
/** The same workspace, at the API that is killed and at another one. */
let workspace: OpenWorkspace;
let survivor: OpenWorkspace;

beforeAll(async () => {
  fixture = await startWorkerFixture({ PORT: String(await freePort()), LOG_LEVEL: 'warn' });
  admin = fixture.database;
  url = `http://127.0.0.1:${fixture.env['PORT']}`;
  survivor = await fixture.workspace();
  workspace = workspaceAt(url, survivor.id, survivor.key);
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
});

/** Starts the API with empty rate windows. */
async function startApi(): Promise<ServiceProcess> {
  await admin.query('TRUNCATE rate_windows');
  return ServiceProcess.start('api', fixture.env).ready(url);
}

/** The answer; undefined if there was none. */
const send = (path: string, body: unknown): Promise<Sent> =>
  workspace.call('POST', path, body).catch(() => undefined);
const sendAgain = (path: string, body: unknown): Promise<Sent> => survivor.call('POST', path, body);

/**
 * Sends all requests to a new API, some concurrently, and kills it when this many are answered; for zero, when the
 * database is processing the first.
 */
async function sendUntilKilled(
  path: string,
  bodies: readonly unknown[],
  atATime: number,
  kill: number,
): Promise<Sent[]> {
  const victim = (api = await startApi());
  const answers: Sent[] = bodies.map(() => undefined);
  let [next, answered, killed] = [0, 0, false];
  const client = async (): Promise<void> => {
    while (!killed && next < bodies.length) {
      const index = next++;
      answers[index] = await send(path, bodies[index]);
      if (answers[index]) answered++;
    }
  };
  const clients = Promise.all(Array.from({ length: atATime }, client));
  await until(
    `${kill} requests are answered`,
    kill > 0
      ? () => answered >= kill
      : async () => {
          const { rowCount } = await admin.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = 'waypost_app'
               AND (state <> 'idle' AND query ~ '^\\s*INSERT')`,
          );
          return (rowCount ?? 0) > 0 || answered > 0;
        },
  );
  killed = true;
  await victim.stop('SIGKILL');
  await clients;
  return answers;
}

async function count(sql: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(`SELECT (${sql})::int AS n`, [...values]);
  return rows[0]?.n ?? -1;
}
const contactsLike = (prefix: string): Promise<number> =>
  count(`SELECT count(*) FROM contacts WHERE starts_with(external_id, $1)`, [prefix]);

/** Waits until no connection works for the dead process any more: its uncommitted changes are gone. */
const settled = (): Promise<void> =>
  until('the dead process has no transaction', async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = 'waypost_app' AND state <> 'idle'`,
    );
    return rowCount === 0;
  });

async function expectExactCount(): Promise<void> {
  const rows = await count(`SELECT count(*) FROM contacts WHERE subscription_status <> 'deleted'`);
  expect(await count('SELECT sum(contacts) FROM contact_counts')).toBe(rows);
}

const known = (index: number): string => `known-${index}`;
/** Half of the contacts of a bulk are in every bulk. */
const bulkOf = (name: string): object => ({
  contacts: Array.from({ length: SIZE }, (_, i) => ({
    external_id: i % 2 === 0 ? `${name}-${i}` : known(i),
    properties: { [name]: i },
  })),
});

test('kills among bulks: each is there whole or not at all, and again has the same result', async () => {
  await sendAgain('/v1/contacts/bulk', {
    contacts: Array.from({ length: SIZE }, (_, i) => ({ external_id: known(i) })),
  });
  const figures: string[] = [];
  for (const kill of BULK_KILLS) {
    const names = Array.from({ length: BULKS }, (_, n) => `r${kill}b${n}x`);
    const answers = await sendUntilKilled('/v1/contacts/bulk', names.map(bulkOf), 2, kill);
    await settled();
    await expectExactCount();
    let there = 0;
    for (const [n, name] of names.entries()) {
      const made = await contactsLike(name);
      const touched = await count(`SELECT count(*) FROM contacts WHERE properties ? $1`, [name]);
      expect([0, SIZE / 2]).toContain(made);
      expect(touched).toBe(made * 2);
      if (answers[n]) expect([answers[n].status, made]).toEqual([200, SIZE / 2]);
      if (made > 0) there++;
    }
    figures.push(`${answers.filter(Boolean).length} answered, ${there} there`);

    for (const name of names) {
      const before = await contactsLike(name);
      const again = await sendAgain('/v1/contacts/bulk', bulkOf(name));
      const { created, updated, skipped, errors } = again?.body ?? {};
      expect([created, created + updated + skipped, errors]).toEqual([SIZE / 2 - before, SIZE, []]);
      expect(await contactsLike(name)).toBe(SIZE / 2);
      expect(await count(`SELECT count(*) FROM contacts WHERE properties ? $1`, [name])).toBe(SIZE);
    }
    await expectExactCount();
  }
  figure(`of ${BULKS} bulks at each kill: ${figures.join('; ')}`);
});

test('a kill between the last statement of a bulk and its commit leaves nothing of it', async () => {
  await sendAgain('/v1/contacts', { external_id: 'one' });
  const before = await count('SELECT count(*) FROM contacts');
  const started = (api = await startApi());
  const blocker = new pg.Client({ connectionString: fixture.app.adminUrl });
  await blocker.connect();
  try {
    // The number of contacts is written last: a lock on it stops the bulk when all of its contacts are stored.
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM contact_counts FOR UPDATE');
    const sent = send('/v1/contacts/bulk', bulkOf('late'));
    await until('the bulk waits', async () => {
      const { rowCount } = await admin.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = 'waypost_app'
           AND wait_event_type = 'Lock' AND query LIKE '%contact_counts%'`,
      );
      return rowCount === 1;
    });
    await started.stop('SIGKILL');
    expect(await sent).toBeUndefined();
  } finally {
    await blocker.query('ROLLBACK');
    await blocker.end();
  }
  await settled();
  expect(await count('SELECT count(*) FROM contacts')).toBe(before);
  await expectExactCount();
  expect((await sendAgain('/v1/contacts/bulk', bulkOf('late')))?.body.errors).toEqual([]);
  expect(await contactsLike('late')).toBe(SIZE / 2);
  await expectExactCount();
});

test('kills among batches: every idempotency key has exactly one event in the end', async () => {
  const batchOf = (round: number, n: number): { events: { idempotency_key: string }[] } => ({
    events: Array.from({ length: PER_BATCH }, (_, i) => ({
      external_id: `e${i}`,
      event_name: 'imported',
      attributes: { round, n, i },
      idempotency_key: `k${round}-${n}-${i}`,
    })),
  });
  const storedOf = (round: number, n: number): Promise<number> =>
    count(`SELECT count(*) FROM events WHERE attributes @> $1`, [JSON.stringify({ round, n })]);
  const figures: string[] = [];
  for (const [round, kill] of BATCH_KILLS.entries()) {
    const batches = Array.from({ length: BATCHES }, (_, n) => batchOf(round, n));
    const answers = await sendUntilKilled('/v1/events/batch', batches, 6, kill);
    await settled();
    for (const [n, answer] of answers.entries())
      if (answer) {
        expect([answer.status, answer.body.accepted]).toEqual([202, PER_BATCH]);
        expect(await storedOf(round, n)).toBe(PER_BATCH);
      }
    const before = await count(`SELECT count(*) FROM events WHERE attributes @> $1`, [
      JSON.stringify({ round }),
    ]);
    figures.push(`${answers.filter(Boolean).length} answered, ${before} events there`);

    const again = await Promise.all(batches.map((batch) => sendAgain('/v1/events/batch', batch)));
    let accepted = 0;
    for (const [n, answer] of again.entries()) {
      expect(answer?.status).toBe(202);
      accepted += answer?.body.accepted;
      for (const error of answer?.body.errors ?? []) expect(error.code).toBe('duplicate_event');
      expect(await storedOf(round, n)).toBe(PER_BATCH);
    }
    expect(before + accepted).toBe(BATCHES * PER_BATCH);
  }
  figure(`of ${BATCHES} batches at each kill: ${figures.join('; ')}`);
  const keys = BATCH_KILLS.length * BATCHES * PER_BATCH;
  expect(await count(`SELECT count(*) FROM events WHERE event_name = 'imported'`)).toBe(keys);
  expect(await count('SELECT count(DISTINCT attributes) FROM events')).toBe(keys);
  expect(await count('SELECT count(*) FROM idempotency_keys k JOIN events e ON e.id = k.event_id')).toBe(
    keys,
  );
});
