/**
 * Workers are killed while messages of a throttled flow wait in line: none is lost, only messages in flight at a kill
 * may be sent twice, and no period contains more of them than the limit.
 */
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import type { OpenWorkspace } from '../support/open-workspace.js';
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/avoid-quarantine.js';
import type { ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

/** An hour of product time takes six seconds. */
const SPEED = 600;
const HOUR = 3_600_000 / SPEED;
const LIMIT = repetitions({ short: 20, full: 120 });
const MESSAGES = repetitions({ short: 50, full: 400 });
const KILLS = repetitions({ short: 1, full: 4 });
const BATCH = 50;

let fixture: WorkerFixture;
let workers: ServiceProcess[] = [];
let workspace: OpenWorkspace;

beforeAll(async () => {
  fixture = await startWorkerFixture({ CLOCK_SPEED: String(SPEED) });
  workspace = await fixture.workspace();
  await workspace.template('hello');
});

afterAll(() => fixture.close());

async function throttledFlow(): Promise<void> {
  const window = { send_window_enabled: true, send_window_start: '06:00', send_window_end: '05:50' };
  const created = await workspace.call('POST', '/v1/flows', {
    name: 'Throttled',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: 'hello', email_send_settings: window }],
    settings: { throttle_enabled: true, throttle_limit: LIMIT, throttle_period: 'hour' },
  });
  expect(created.status).toBe(201);
  expect((await workspace.call('POST', `/v1/flows/${created.body.id}/activate`)).status).toBe(200);
}

const QUEUES = 'events,trips,sends';

const count = async (table: string, where: string): Promise<number> =>
  Number((await fixture.database.query(`SELECT count(*) FROM ${table} WHERE ${where}`)).rows[0].count);

test(`${MESSAGES} messages, ${LIMIT} an hour, ${KILLS} kills of one of two workers`, async () => {
  const { database } = fixture;
  const { sink } = fixture.app;
  await throttledFlow();
  for (let start = 0; start < MESSAGES; start += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => ({
      external_id: `u${start + index}`,
      event_name: 'signed_up',
      contact: { email: `u${start + index}@example.com` },
    }));
    expect((await workspace.call('POST', '/v1/events/batch', { events })).status).toBe(202);
  }
  sink.delay = 20;
  workers = [await fixture.startWorker(QUEUES), await fixture.startWorker(QUEUES)];
  for (let kill = 0; kill < KILLS; kill++) {
    const before = sink.mails.length;
    await until('a message has gone', () => sink.mails.length > before || sink.mails.length >= MESSAGES);
    await nothingIsSuspectedTwice(database);
    const victim = workers.shift()!;
    victim.child.kill('SIGKILL');
    await victim.gone();
    workers.push(await fixture.startWorker(QUEUES));
  }
  const left = (): Promise<number> => count('trips', 'completed_at IS NULL');
  await until('every trip is over', async () => (await left()) === 0, left);

  const { rows } = await database.query<{ message_id: string; status: string }>(
    'SELECT message_id, status FROM email_logs',
  );
  expect(rows).toHaveLength(MESSAGES);
  expect(rows.filter(({ status }) => status !== 'sent')).toEqual([]);
  const first = new Map<string, number>();
  for (const { messageId, receivedAt } of sink.mails)
    if (!first.has(messageId)) first.set(messageId, receivedAt);
  expect(rows.filter((row) => !first.has(row.message_id))).toEqual([]);
  expect(sink.mails.length - first.size).toBeLessThanOrEqual(KILLS * SLOTS_PER_TRANSPORT);

  const moments = [...first.values()].toSorted((one, next) => one - next);
  // Times at the mail server are some milliseconds later than those in the ledger.
  const most = moments.map(
    (start) => moments.filter((moment) => moment >= start && moment < start + HOUR - 100).length,
  );
  expect(Math.max(...most)).toBeLessThanOrEqual(LIMIT);
  const took = (moments.at(-1)! - moments[0]!) / HOUR;
  figure(`${MESSAGES} messages at ${LIMIT} an hour took ${took.toFixed(1)} hours of the product.`);
});
