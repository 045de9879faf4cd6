/**
 * Workers are killed while messages stand in the line of a throttled flow: none is lost, none goes twice but what was on
 * its way at a kill, and no stretch of time sees more of them than the limit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { LANES } from '../../src/modules/delivery/application/send-lanes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/innocent.js';
import { MailSink } from '../support/mail-sink.js';
import { seedWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** An hour of the product takes six seconds. */
const SPEED = 600;
const HOUR = 3_600_000 / SPEED;
const LIMIT = 120;
const MESSAGES = 400;
const KILLS = 4;

let dataDir: string;
let sink: MailSink;
let store: TestDatabase;
let database: pg.Client;
let env: Record<string, string>;
let api: ServiceProcess;
let workers: ServiceProcess[] = [];
let workspace: OpenWorkspace;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-gates-'));
  sink = await MailSink.start();
  store = await createTestDatabase();
  database = new pg.Client({ connectionString: store.adminUrl });
  await database.connect();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: store.adminUrl,
    SMTP_URL: sink.url,
    CLOCK_SPEED: String(SPEED),
    LOG_LEVEL: 'info',
  };
  workspace = await seedWorkspace(url, env, dataDir);
  api = await ServiceProcess.start('api', env).ready(url);
  await workspace.template('hello');
});

afterAll(async () => {
  await Promise.all([api.stop(), ...workers.map((worker) => worker.stop())]);
  await database.end();
  await store.drop();
  await sink.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

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

const startWorker = (): Promise<ServiceProcess> =>
  ServiceProcess.start('worker', env).wrote('The worker is ready');

const count = async (table: string, where: string): Promise<number> =>
  Number((await database.query(`SELECT count(*) FROM ${table} WHERE ${where}`)).rows[0].count);

test(`${MESSAGES} messages, ${LIMIT} an hour, ${KILLS} kills of one of two workers`, async () => {
  await throttledFlow();
  for (let start = 0; start < MESSAGES; start += 50) {
    const events = Array.from({ length: 50 }, (_, index) => ({
      external_id: `u${start + index}`,
      event_name: 'signed_up',
      contact: { email: `u${start + index}@example.com` },
    }));
    expect((await workspace.call('POST', '/v1/events/batch', { events })).status).toBe(202);
  }
  sink.delay = 20;
  workers = [await startWorker(), await startWorker()];
  for (let kill = 0; kill < KILLS; kill++) {
    const before = sink.mails.length;
    await until('a message has gone', () => sink.mails.length > before || sink.mails.length >= MESSAGES);
    await nothingIsSuspectedTwice(database);
    const victim = workers.shift()!;
    victim.child.kill('SIGKILL');
    await victim.gone();
    workers.push(await startWorker());
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
  expect(sink.mails.length - first.size).toBeLessThanOrEqual(KILLS * LANES);

  const moments = [...first.values()].toSorted((one, next) => one - next);
  // What is measured at the mail server is some milliseconds later than what the ledger knows.
  const most = moments.map(
    (start) => moments.filter((moment) => moment >= start && moment < start + HOUR - 100).length,
  );
  expect(Math.max(...most)).toBeLessThanOrEqual(LIMIT);
  const took = (moments.at(-1)! - moments[0]!) / HOUR;
  figure(`${MESSAGES} messages at ${LIMIT} an hour took ${took.toFixed(1)} hours of the product.`);
});
