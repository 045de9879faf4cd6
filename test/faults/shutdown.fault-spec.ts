/**
 * Clean shutdown: a stopped process first reports that it is not ready, answers every request already begun, stops its
 * work at a safe point, and exits within ten seconds; other processes continue the work.
 */
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { seedWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

const MESSAGES = repetitions({ short: 150, full: 1_000 });
const BATCH = 50;

let dataDir: string;
let sink: MailSink;
let store: TestDatabase;
let database: pg.Client;
let env: Record<string, string>;
let url: string;
let api: ServiceProcess;
let workspace: OpenWorkspace;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-shutdown-'));
  sink = await MailSink.start();
  store = await createTestDatabase();
  database = new pg.Client({ connectionString: store.adminUrl });
  await database.connect();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: store.adminUrl,
    SMTP_URL: sink.url,
    LOG_LEVEL: 'info',
  };
  workspace = await seedWorkspace(url, env, dataDir);
  api = await ServiceProcess.start('api', env).ready(url);
  await workspace.template('hello');
  await workspace.flow('promotional', 'signed_up', [{ type: 'send_email', template_slug: 'hello' }]);
});

afterAll(async () => {
  sink.delay = 0;
  await Promise.all([api, ...workers].map((process) => process.stop()));
  await database.end();
  await store.drop();
  await sink.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('SIGTERM to a worker: it stops between messages, and another one goes on', async () => {
  // Slow enough that messages are left at the shutdown, even if the test notices progress late.
  sink.delay = 500;
  for (let start = 0; start < MESSAGES; start += BATCH) await postBatch(start, BATCH);
  const first = await startWorker();
  await until(
    'it sends',
    () => sink.mails.length >= SLOTS_PER_TRANSPORT,
    () => sink.mails.length,
  );
  const signalledAt = Date.now();
  expect(await first.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  const took = Date.now() - signalledAt;
  const sentByFirst = sink.mails.length;
  // No state in between: claimed messages are settled, the rest is untouched.
  const fates = await statuses();
  expect(Object.keys(fates).sort()).toEqual(['queued', 'sent']);
  expect(fates['sent']).toBe(sentByFirst);

  sink.delay = 0;
  await startWorker({}, 'events,trips,sends');
  await until('all are sent', async () => (await statuses())['sent'] === MESSAGES, statuses);
  expect(new Set(sink.mails.map((mail) => mail.messageId)).size).toBe(MESSAGES);
  expect(sink.mails).toHaveLength(MESSAGES);
  figure(`The worker ended after ${took} ms, with ${sentByFirst} of ${MESSAGES} sent.`);
});

test('SIGTERM to a worker that waits for DNS servers which say nothing', async () => {
  const silent = await Promise.all([0, 1, 2].map(() => silentServer()));
  const servers = silent.map((socket) => `127.0.0.1:${socket.address().port}`).join(',');
  let questions = 0;
  for (const socket of silent) socket.on('message', () => questions++);
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await database.query(
    `INSERT INTO sending_domains (workspace_id, id, domain, token, status, status_since, check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'acme' || n || '.test', '', 'pending', now(), now(), now(), now()
     FROM generate_series(1, 10) AS n`,
    [workspace.id],
  );
  const worker = await startWorker({ DNS_SERVERS: servers }, 'domains');
  await until('it asks', () => questions > 0);
  expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  for (const socket of silent) socket.close();
  await database.query('DELETE FROM sending_domains');
});

test('SIGTERM to the API under load: not ready first, then every begun request answered, then gone', async () => {
  const answers = new Map<string, number>();
  const note = (what: string): void => void answers.set(what, (answers.get(what) ?? 0) + 1);
  const pending: Promise<void>[] = [];
  let serial = 0;
  let notReadyAt = 0;
  let goneAt = 0;
  const begin = (): void => {
    const sent = workspace.call('POST', '/v1/events', eventOf(`load-${++serial}`)).then(
      ({ status }) => note(String(status)),
      (error: unknown) => note(`dropped: ${String((error as { cause?: unknown }).cause ?? error)}`),
    );
    pending.push(sent);
  };
  // A hundred requests a second, as from a load balancer, until the process reports that it is not ready.
  const load = setInterval(() => {
    if (notReadyAt === 0) begin();
  }, 10);
  await until('the load has taken up', () => (answers.get('202') ?? 0) > 100);
  const slow = slowRequest();
  await slow.begun;

  const signalledAt = Date.now();
  const ended = api.stop('SIGTERM').then((exit) => {
    goneAt = Date.now();
    return exit;
  });
  await until('it is not ready any more', async () => (await ready()) === 503);
  notReadyAt = Date.now();
  clearInterval(load);
  // It still answers requests meanwhile, for clients that do not know yet.
  expect((await workspace.call('POST', '/v1/events', eventOf('late'))).status).toBe(202);
  await until('it takes no connection any more', async () => (await ready()) === 0);
  // The request began long before; its body ends only now.
  expect(await slow.finish()).toBe(202);
  expect(await ended).toEqual({ code: 0, signal: null });
  await Promise.all(pending);

  expect([...answers.keys()]).toEqual(['202']);
  expect(goneAt).toBeGreaterThan(notReadyAt);
  const { rows } = await database.query<{ count: string }>(
    `SELECT count(*) FROM events WHERE external_id LIKE 'load-%' OR external_id IN ('late', 'slow')`,
  );
  expect(Number(rows[0]?.count)).toBe(serial + 2);
  figure(
    `Not ready after ${notReadyAt - signalledAt} ms, gone after ${goneAt - signalledAt} ms, ${serial} requests.`,
  );
});

/** On all queues by default. */
async function startWorker(more: Record<string, string> = {}, queues?: string): Promise<ServiceProcess> {
  const args = queues === undefined ? [] : [`--queues=${queues}`];
  const worker = ServiceProcess.start('worker', { ...env, ...more }, args);
  workers.push(worker);
  return worker.wrote('The worker is ready');
}

/** A socket that receives queries and answers none. */
async function silentServer(): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket;
}

async function postBatch(start: number, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => eventOf(`u${start + index}`));
  const { status } = await workspace.call('POST', '/v1/events/batch', { events });
  expect(status).toBe(202);
}

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await database.query<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM email_logs GROUP BY status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

function eventOf(id: string): object {
  return {
    external_id: id,
    event_name: id.startsWith('u') ? 'signed_up' : 'looked_around',
    contact: { email: `${id}@example.com` },
  };
}

/** The status of /health/ready on a new connection; 0 if no connection is accepted. */
function ready(): Promise<number> {
  return new Promise((resolve) => {
    request(`${url}/health/ready`, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', () => resolve(0))
      .end();
  });
}

/** Sends the head and half of the body of a request; `finish` sends the rest. */
function slowRequest(): { begun: Promise<void>; finish: () => Promise<number> } {
  const body = JSON.stringify(eventOf('slow'));
  const sent = request(`${url}/v1/events`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-workspace-id': workspace.id,
      'x-api-key': workspace.key,
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
  });
  const begun = new Promise<void>((resolve, reject) => {
    sent.write(body.slice(0, 20), (error) => (error ? reject(error) : resolve()));
  });
  return {
    begun,
    finish: () => {
      sent.end(body.slice(20));
      return status;
    },
  };
}
