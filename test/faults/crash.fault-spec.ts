/**
 * The promise that no other platform publishes: no matter what is killed and when, every event that was answered 202
 * has exactly one trip of each flow; transactional mail is never lost, promotional mail is never duplicated. The flows
 * have splits, waits, a throttle, a window and a goal, and each of these behaves as if nothing had been killed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { findRunningPostgres } from '../../src/platform/embedded/running-postgres.js';
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/avoid-quarantine.js';
import { MailSink } from '../support/mail-sink.js';
import { emptyQueueTables } from '../support/queue-tables.js';
import { HAS_REDIS, RedisServer } from '../support/redis-server.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { openWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import {
  expectInOrder,
  isAwaited,
  openWindow,
  richFlow,
  watchForLateMessages,
  type RichFlow,
} from '../support/rich-flow.js';

const EVENTS = repetitions({ short: 60, full: 10_000 });
/** Milliseconds that a client pauses after an event, to spread the events over the kills. */
const REST_MS = repetitions({ short: 400, full: 80 });
/** Milliseconds until a client retries a request that got no answer. */
const RETRY_MS = repetitions({ short: 200, full: 50 });
/** The kill before which the queue is emptied. */
const EMPTIED_BEFORE = repetitions({ short: 1, full: 3 });
/** An hour of product time takes six seconds. */
const SPEED = 600;
/** One in this many contacts converts. */
const CONVERTS = 10;
const OPTIONS = {
  event: 'signed_up',
  throttle: { limit: EVENTS * 0.7, period: 'hour' },
  goal: 'paid',
} as const;

const cases = [
  { backend: 'postgres', emptied: false, kills: repetitions({ short: 1, full: 25 }) },
  { backend: 'postgres', emptied: true, kills: repetitions({ short: 1, full: 25 }) },
  ...(HAS_REDIS ? [{ backend: 'redis', emptied: true, kills: repetitions({ short: 1, full: 25 }) }] : []),
];

describe.each(cases)('queue on $backend, emptied by hand: $emptied', ({ backend, emptied, kills }) => {
  let dataDir: string;
  let redis: RedisServer | undefined;
  let sink: MailSink;
  let env: Record<string, string>;
  let url: string;
  let service: ServiceProcess;
  let workspace: OpenWorkspace;
  let flows: RichFlow[];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'waypost-crash-'));
    sink = await MailSink.start();
    redis = backend === 'redis' ? await RedisServer.start(dataDir) : undefined;
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    env = {
      PORT: String(port),
      DATA_DIR: dataDir,
      SMTP_URL: sink.url,
      CLOCK_SPEED: String(SPEED),
      ...(redis ? { QUEUE_BACKEND: 'redis', REDIS_URL: redis.url } : {}),
    };
    service = await ServiceProcess.start('up', env).ready(url);
    workspace = await openWorkspace(url, dataDir);
    await workspace.template('hello');
    const database = new pg.Client({ connectionString: findRunningPostgres(dataDir) });
    await database.connect();
    await watchForLateMessages(database);
    await database.end();
    flows = [
      await richFlow(workspace, { ...OPTIONS, contentType: 'transactional' }),
      await richFlow(workspace, { ...OPTIONS, contentType: 'promotional' }),
    ];
  });

  afterAll(async () => {
    await service.stop();
    await sink.stop();
    await redis?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /**
   * Resolves when the service has processed an event since the call, or has none left, and when the rows that two
   * processes died with are done.
   */
  async function somethingIsDone(): Promise<void> {
    const database = new pg.Client({ connectionString: findRunningPostgres(dataDir) });
    await database.connect();
    const counted = async (): Promise<{ done: number; left: number }> =>
      (
        await database.query<{ done: number; left: number }>(
          'SELECT count(processed_at)::int AS done, (count(*) - count(processed_at))::int AS left FROM events',
        )
      ).rows[0]!;
    const before = await counted();
    await until('something is done', async () => {
      const { done, left } = await counted();
      return done > before.done || left === 0;
    });
    await nothingIsSuspectedTwice(database);
    await database.end();
  }

  /** Resolves when no message in `sending` is claimed by a dead process. */
  async function nothingIsInDeadHands(): Promise<void> {
    const database = new pg.Client({ connectionString: findRunningPostgres(dataDir) });
    await database.connect();
    const inDeadHands = `SELECT FROM email_logs m WHERE status = 'sending' AND ${ProcessLease.isExpiredSql('m.sender')}`;
    await until('others took over what was in hand', async () => {
      const { rowCount } = await database.query(inDeadHands);
      return rowCount === 0;
    });
    await database.end();
  }

  test(`${EVENTS} events and ${kills} kills: nothing lost, nothing doubled that need not be`, async () => {
    const accepted = new Set<string>();
    let posting = true;
    let resolvedAfter = Number.NaN;
    const posters = post(accepted).finally(() => (posting = false));

    for (let kill = 1; kill <= kills; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 1_300));
      // If process after process dies with a row before any progress, the row is treated as the cause.
      await somethingIsDone();
      if (emptied && kill === EMPTIED_BEFORE) await emptyQueue();
      await service.killTree();
      const killedAt = performance.now();
      service = await ServiceProcess.start('up', env).ready(url);
      if (kill < kills) continue;
      await nothingIsInDeadHands();
      resolvedAfter = (performance.now() - killedAt) / 1_000;
    }
    await posters;
    expect(posting).toBe(false);
    expect(accepted.size).toBe(EVENTS);

    const database = new pg.Client({ connectionString: findRunningPostgres(dataDir) });
    await database.connect();
    for (const flow of flows) {
      await until('messages wait for the window', () => isAwaited(database, flow));
      await openWindow(workspace, flow);
    }
    const count = async (sql: string): Promise<number> => Number((await database.query(sql)).rows[0].count);
    const left = (): Promise<unknown> =>
      database
        .query(
          `SELECT 'event' AS what, event_name AS status, count(*)::int AS count, NULL::timestamptz AS next FROM events
           WHERE processed_at IS NULL GROUP BY 2
           UNION ALL SELECT 'trip', status, count(*)::int, min(resume_at) FROM trips WHERE completed_at IS NULL GROUP BY 2
           UNION ALL SELECT 'message', status, count(*)::int, min(next_attempt_at) FROM email_logs
           WHERE status IN ('queued', 'sending') GROUP BY 2
           UNION ALL SELECT 'set aside: ' || kind, code, count(*)::int, NULL FROM set_aside_work GROUP BY 1, 2`,
        )
        .then(({ rows }) => rows);
    // Messages as well: a message that was being sent while a conversion ended its trip is settled a moment later.
    await until(
      'everything is over',
      async () =>
        (await count(`SELECT count(*) FROM events WHERE processed_at IS NULL`)) === 0 &&
        (await count(`SELECT count(*) FROM trips WHERE completed_at IS NULL`)) === 0 &&
        (await count(`SELECT count(*) FROM email_logs WHERE status IN ('queued', 'sending')`)) === 0,
      left,
    );

    // Exactly one trip of each flow for every event that was answered.
    expect(await count(`SELECT count(*) FROM events WHERE event_name = 'signed_up'`)).toBe(EVENTS);
    expect(await count(`SELECT count(*) FROM trips`)).toBe(2 * EVENTS);
    expect(await count(`SELECT count(DISTINCT (flow_id, contact_id)) FROM trips`)).toBe(2 * EVENTS);
    for (const flow of flows) await expectInOrder(database, flow, EVENTS);
    expect(await count(`SELECT count(DISTINCT trip_id) FROM goal_conversions`)).toBe((2 * EVENTS) / CONVERTS);

    const logs = (
      await database.query<{ message_id: string; content_type: string; status: string }>(
        `SELECT message_id, content_type, status FROM email_logs WHERE status <> 'cancelled'`,
      )
    ).rows;
    // In flight at a kill, and cancelled by its trip's conversion before it could be retried.
    const mayHaveLeft = (
      await database.query<{ message_id: string; content_type: string }>(
        `SELECT message_id, content_type FROM email_logs WHERE status = 'cancelled' AND reissues > 0`,
      )
    ).rows;
    expect(mayHaveLeft.filter((log) => log.content_type !== 'transactional')).toEqual([]);
    expect(mayHaveLeft.length).toBeLessThanOrEqual(kills * SLOTS_PER_TRANSPORT);
    await database.end();

    const received = new Map<string, number>();
    for (const { messageId } of sink.mails) received.set(messageId, (received.get(messageId) ?? 0) + 1);
    const doubled = (type: string): number =>
      [...logs, ...mayHaveLeft].filter(
        (log) => log.content_type === type && (received.get(log.message_id) ?? 0) > 1,
      ).length;
    const of = (type: string, status: string): typeof logs =>
      logs.filter((log) => log.content_type === type && log.status === status);

    // Transactional: all have arrived, and any that arrived twice was in flight at a kill, under the same Message-ID.
    expect(of('transactional', 'sent').filter((log) => !received.has(log.message_id))).toEqual([]);
    expect(of('transactional', 'sent').length).toBe(
      logs.filter(({ content_type: type }) => type === 'transactional').length,
    );
    expect(doubled('transactional')).toBeLessThanOrEqual(kills * SLOTS_PER_TRANSPORT);

    // Promotional: none twice; messages not known to be sent are `unknown`, and at most as many as were in flight.
    expect(doubled('promotional')).toBe(0);
    expect(of('promotional', 'unknown').length).toBeLessThanOrEqual(kills * SLOTS_PER_TRANSPORT);
    expect(of('promotional', 'sent').length + of('promotional', 'unknown').length).toBe(
      logs.filter(({ content_type: type }) => type === 'promotional').length,
    );
    expect(of('promotional', 'sent').filter((log) => !received.has(log.message_id))).toEqual([]);

    // No mail was sent that is not in the ledger.
    const known = new Set([...logs, ...mayHaveLeft].map((log) => log.message_id));
    figure(
      `${kills} kills, ${logs.length} messages: ${doubled('transactional')} transactional came twice, ` +
        `${of('promotional', 'unknown').length} promotional are unknown; ` +
        `${resolvedAfter.toFixed(1)} s after the last kill none was in the hands of who was killed`,
    );
    const strays = sink.mails.filter(({ messageId }) => !known.has(messageId));
    expect(strays.map(({ to, raw }) => [to, /^Subject: .*/m.exec(raw)?.[0]])).toEqual([]);

    // Rollups match the data: a rebuild corrects nothing.
    const rebuilt = await ServiceProcess.cli(env, ['rollups:rebuild', '--workspace', workspace.id]);
    const { corrected } = rebuilt as { corrected: Record<string, Record<string, number>> };
    expect(Object.keys(corrected)).toEqual(['live', 'test']);
    expect(Object.values(corrected).flatMap((sums) => Object.values(sums))).toEqual(Array(12).fill(0));
  });

  /** Posts every event until it is answered; a retry after a cut connection carries the same key. */
  async function post(accepted: Set<string>): Promise<void> {
    const waiting = Array.from({ length: EVENTS }, (_, index) => `u${index}`);
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          while (!(await workspace.signUp(id))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          accepted.add(id);
          if (Number(id.slice(1)) % CONVERTS === 0)
            while (!(await paid(id))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          await new Promise((resolve) => setTimeout(resolve, REST_MS));
        }
      }),
    );
  }

  /** As signUp: a retry after a cut connection carries the same key. */
  async function paid(id: string): Promise<boolean> {
    const event = {
      external_id: id,
      event_name: 'paid',
      idempotency_key: `paid ${id}`,
    };
    return workspace.call('POST', '/v1/events', event).then(
      ({ status }) => status === 202 || status === 409,
      () => false,
    );
  }

  async function emptyQueue(): Promise<void> {
    if (redis) {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
      return;
    }
    const database = new pg.Client({ connectionString: findRunningPostgres(dataDir) });
    await database.connect();
    await emptyQueueTables(database);
    await database.end();
  }
});
