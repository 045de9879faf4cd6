/**
 * The worker of one tenant's job is killed again and again: the work is done nevertheless, and the tenant's wake-ups
 * continue. The job of a killed worker stays active in the queue and blocks new jobs with the same id.
 */
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import type { OpenWorkspace } from '../support/open-workspace.js';
import {
  expectInOrder,
  isAwaited,
  MESSAGES_OF_A_TRIP,
  openWindow,
  richFlow,
  type RichFlow,
  watchForLateMessages,
} from '../support/rich-flow.js';
import type { ServiceProcess } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/avoid-quarantine.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

const KILLS = repetitions({ short: 2, full: 10 });
const TRIPS = repetitions({ short: 50, full: 500 });
const BATCH = 50;
const QUEUES = 'events,trips,sends';
/** An hour of product time takes six seconds. */
const SPEED = 600;
const LATER_EVENTS = repetitions({ short: 2, full: 20 });

let fixture: WorkerFixture;
let worker: ServiceProcess;
let workspace: OpenWorkspace;
let flow: RichFlow;

beforeAll(async () => {
  fixture = await startWorkerFixture({ CLOCK_SPEED: String(SPEED) });
  workspace = await fixture.workspace();
  await workspace.template('hello');
  await watchForLateMessages(fixture.database);
  flow = await richFlow(workspace, {
    event: 'signed_up',
    contentType: 'transactional',
    throttle: { limit: TRIPS * 1.2, period: 'hour' },
  });
  await workspace.flow('transactional', 'rung_up', [{ type: 'send_email', template_slug: 'hello' }]);
});

afterAll(async () => {
  fixture.app.sink.delay = 0;
  await fixture.close();
});

test(`${KILLS} kills in the midst of a job: the work is done, nothing is lost`, async () => {
  const { database } = fixture;
  const { sink } = fixture.app;
  // Slow enough for every worker to be killed with messages in flight.
  sink.delay = 200;
  for (let start = 0; start < TRIPS; start += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => eventOf(`u${start + index}`, 'signed_up'));
    expect((await workspace.call('POST', '/v1/events/batch', { events })).status).toBe(202);
  }
  const idle: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = sink.mails.length;
    worker = await fixture.startWorker(QUEUES);
    const started = Date.now();
    await until('the new worker has taken the work up', async () => {
      if (flow.released === undefined && (await isAwaited(database, flow))) await openWindow(workspace, flow);
      return sink.mails.length > before;
    });
    idle.push(Date.now() - started);
    await nothingIsSuspectedTwice(database);
    await until('the job is being worked on', async () => (await jobs('sends', 'active')) > 0);
    worker.child.kill('SIGKILL');
    await worker.gone();
  }
  sink.delay = 0;
  worker = await fixture.startWorker(QUEUES);
  if (flow.released === undefined) {
    await until('messages wait for the window', () => isAwaited(database, flow));
    await openWindow(workspace, flow);
  }
  const running = (): Promise<number> => count('trips', 'completed_at IS NULL');
  await until('every trip is over', async () => (await running()) === 0, running);
  figure(`New workers took the work up after ${idle.join(', ')} ms.`);

  await expectInOrder(database, flow, TRIPS);
  expect(await count('email_logs')).toBe(TRIPS * MESSAGES_OF_A_TRIP);
  const { rows } = await database.query<{ message_id: string; status: string }>(
    'SELECT message_id, status FROM email_logs',
  );
  const arrived = new Set(sink.mails.map((mail) => mail.messageId));
  // Retried after a kill, and only once: its outcome may then be unknown, but it has arrived.
  expect(rows.filter((row) => !['sent', 'unknown'].includes(row.status))).toEqual([]);
  expect(rows.filter((row) => !arrived.has(row.message_id))).toEqual([]);
  // At most those in flight at a kill.
  expect(sink.mails.length - arrived.size).toBeLessThanOrEqual(KILLS * SLOTS_PER_TRANSPORT);
  // No job failed for good because its worker was killed so often.
  expect(await jobs('sends', 'failed')).toBe(0);
});

test('the bell of the same tenant still rings', async () => {
  const { sink } = fixture.app;
  await worker.stop('SIGTERM');
  // No poller runs now: a job that appears was added by the request itself.
  await post('rung');
  await until('a job waits for a worker', async () => (await jobs('events', 'waiting')) === 1);
  worker = await fixture.startWorker(QUEUES);
  await until('it is done', () => sink.to('rung@example.com').length === 1);
  await until('the queue is empty', async () => (await jobs('events', 'active', 'waiting')) === 0);

  let waited = 0;
  for (let index = 0; index < LATER_EVENTS; index++) {
    const start = Date.now();
    await post(`later-${index}`);
    await until('its mail arrives', () => sink.to(`later-${index}@example.com`).length === 1);
    waited += Date.now() - start;
  }
  // With the poller alone, the event and the message would each wait for half a second.
  figure(`From a later event to its mail: ${Math.round(waited / LATER_EVENTS)} ms on average.`);
});

async function post(id: string): Promise<void> {
  expect((await workspace.call('POST', '/v1/events', eventOf(id))).status).toBe(202);
}

function eventOf(id: string, name = 'rung_up'): object {
  return { external_id: id, event_name: name, contact: { email: `${id}@example.com` } };
}

async function jobs(queue: string, ...states: string[]): Promise<number> {
  const { rows } = await fixture.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM bullmq.job WHERE queue = $1 AND state::text = ANY ($2)',
    [queue, states],
  );
  return rows[0]?.count ?? 0;
}

async function count(table: string, condition = 'true'): Promise<number> {
  const { rows } = await fixture.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
  );
  return rows[0]?.count ?? 0;
}
