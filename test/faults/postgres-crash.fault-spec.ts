/**
 * The database is killed and restarted again and again while events arrive. Events answered 202 are stored and their
 * flow has run exactly once; clients are asked to retry later and never get an internal error; the service's processes
 * survive without overloading the machine meanwhile.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { launchPostgres, type LaunchedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { MailSink } from '../support/mail-sink.js';
import { seedWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, kill, ServiceProcess, treeOf } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

/** By SIGKILL and by PostgreSQL's fast shutdown signal (SIGINT) in turn. */
const CRASHES = repetitions({ short: 2, full: 5 });
const EVENTS_BEFORE_CRASH = repetitions({ short: 30, full: 150 });
/**
 * Clients that each post one event after the other, and their pause in between: at night 200 events a second and more.
 */
const CLIENTS = repetitions({ short: 4, full: 16 });
const REST = 50;
/** Number of attempts to measure in one outage, enough to show that reconnecting repeats. */
const ATTEMPTS = 50;
/**
 * An excessive number of attempts per second, of both processes together. Loops with pauses reach at most a quarter of
 * it on any machine; a loop without a pause reaches many times as much.
 */
const TOO_MANY = 300;

let dataDir: string;
let sink: MailSink;
let postgres: LaunchedPostgres;
let api: ServiceProcess;
let worker: ServiceProcess;
let url: string;
let workspace: OpenWorkspace;
const port = { postgres: 0, api: 0 };

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-postgres-crash-'));
  sink = await MailSink.start();
  port.postgres = await freePort();
  port.api = await freePort();
  url = `http://127.0.0.1:${port.api}`;
  postgres = await start();
  const env = {
    PORT: String(port.api),
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    SMTP_URL: sink.url,
    LOG_LEVEL: 'info',
  };
  workspace = await seedWorkspace(url, env, dataDir);
  api = await ServiceProcess.start('api', env).ready(url);
  worker = await ServiceProcess.start('worker', env).wrote('The worker is ready');
  await workspace.template('hello');
  await workspace.flow('transactional', 'signed_up', [
    { type: 'update_contact', set: { greeted: 'yes' } },
    { type: 'send_email', template_slug: 'hello' },
  ]);
});

afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()]);
  await postgres?.stop();
  await sink.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test(`${CRASHES} crashes of PostgreSQL lose no event, fail no request and kill no process`, async () => {
  const accepted = new Set<string>();
  const refusals = new Map<string, number>();
  let serial = 0;
  let posting = true;
  /** Clients wait for it between requests. */
  let work = Promise.resolve();
  let asked = 0;
  const client = async (): Promise<void> => {
    while (posting) {
      const id = `u${++serial}`;
      // Repeats until answered; a retry after a refusal carries the same key.
      for (let done = false; !done && posting;) {
        await work;
        asked++;
        const answer = await workspace.call('POST', '/v1/events', eventOf(id)).catch(() => undefined);
        asked--;
        done = answer?.status === 202 || answer?.status === 409;
        if (done) accepted.add(id);
        else {
          const retryAfter = answer?.headers.get('retry-after') ?? 'none';
          const refusal = answer ? `${answer.status}, Retry-After ${retryAfter}` : 'connection cut';
          refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
        }
        await new Promise((resolve) => setTimeout(resolve, REST));
      }
    }
  };
  const rest = async (): Promise<{ readonly end: () => void }> => {
    let end = (): void => undefined;
    work = new Promise((resolve) => (end = resolve));
    await until('no client waits for an answer', () => asked === 0);
    return { end };
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));

  const answering: number[] = [];
  const resumed: number[] = [];
  let attempts = 0;
  for (let crash = 1; crash <= CRASHES; crash++) {
    const before = accepted.size;
    await until('events come in', () => accepted.size >= before + EVENTS_BEFORE_CRASH);
    await breakDown(crash);
    await until('the API says that it is not ready', async () => (await status('/health/ready')) === 503);
    expect(await status('/health/live')).toBe(200);
    if (crash === CRASHES) {
      const pause = await rest();
      attempts = await attemptsAtAClosedDoor();
      pause.end();
    }
    postgres = await start();
    const accepts = Date.now();
    const meanwhile = accepted.size;
    await until('the API accepts events again', () => accepted.size > meanwhile);
    await until('the API is ready again', async () => (await status('/health/ready')) === 200);
    answering.push(Date.now() - accepts);
    // With no new events, the backlog is processed completely, whatever its size and however slow the machine is.
    const pause = await rest();
    const news = await signUp(`after-crash-${crash}`);
    await until('the worker works again', async () => (await tripOf(news)) === 'completed', unfinished);
    pause.end();
    resumed.push(Date.now() - accepts);
  }
  posting = false;
  await clients;

  figure(
    `${accepted.size} events; API back after ${answering.join(', ')} ms, all of it after ${resumed.join(', ')} ms; refusals: ` +
      `${JSON.stringify(Object.fromEntries(refusals))}; ${attempts} attempts a second to reach the database`,
  );
  expect([api.exit, worker.exit]).toEqual([undefined, undefined]);
  expect([...refusals.keys()]).toEqual(['503, Retry-After 1']);
  expect(attempts).toBeLessThan(TOO_MANY);

  await inDatabase(async (database) => {
    const one = async (sql: string): Promise<number> => Number((await database.query(sql)).rows[0].count);
    await until('every trip is over', async () => (await unfinished()) === 0, unfinished);
    const stored = (await database.query<{ external_id: string }>('SELECT external_id FROM events')).rows.map(
      (row) => row.external_id,
    );
    const wanted = [...accepted, ...resumed.map((_, index) => `after-crash-${index + 1}`)];
    const known = new Set(stored);
    expect(wanted.filter((id) => !known.has(id))).toEqual([]);
    expect(known.size).toBe(stored.length);
    // Its flow has run once: one completed trip with one message, which arrived once.
    expect(await one('SELECT count(*) FROM trips')).toBe(stored.length);
    expect(await one('SELECT count(DISTINCT trigger_event_id) FROM trips')).toBe(stored.length);
    expect(await one(`SELECT count(*) FROM trips WHERE status <> 'completed'`)).toBe(0);
    expect(await one(`SELECT count(*) FROM contacts WHERE properties->>'greeted' = 'yes'`)).toBe(
      stored.length,
    );
    expect(await one(`SELECT count(*) FROM email_logs WHERE status = 'sent'`)).toBe(stored.length);
  });
  const arrivals = sink.mails.map((mail) => mail.messageId);
  expect(new Set(arrivals).size).toBe(arrivals.length);
  expect(arrivals.length).toBe(new Set(sink.mails.flatMap((mail) => mail.to)).size);
});

test('a queue that may not log in is waited for, and not asked again without a pause', async () => {
  const before = sink.mails.length;
  await inDatabase(async (database) => {
    await database.query('ALTER ROLE waypost_queue NOLOGIN');
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'waypost_queue'`,
    );
  });
  const attempts = await perSecond(refusedLogins);
  // Ingest does not need the queue.
  await signUp('without-queue');
  await inDatabase(async (database) => void (await database.query('ALTER ROLE waypost_queue LOGIN')));
  await until('the mail arrives', () => sink.mails.length > before);
  figure(`${attempts} attempts a second to log in to the queue`);
  expect(attempts).toBeLessThan(TOO_MANY);
  // An outage is reported in log lines without connection internals.
  expect(worker.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
});

/** Stops the server by SIGKILL or by the fast shutdown signal (SIGINT) in turn; waits until it is gone. */
async function breakDown(crash: number): Promise<void> {
  if (crash % 2 === 1) for (const pid of treeOf(postgres.pid)) kill(pid, 'SIGKILL');
  else kill(postgres.pid, 'SIGINT');
  await postgres.exited;
}

/** How often a second API and worker try to reach a stopped database: a socket on its port counts their attempts. */
async function attemptsAtAClosedDoor(): Promise<number> {
  let attempts = 0;
  const door = createServer((socket) => {
    attempts++;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => door.listen(port.postgres, '127.0.0.1', resolve));
  try {
    return await perSecond(() => attempts);
  } finally {
    await new Promise((resolve) => door.close(resolve));
  }
}

/** How often PostgreSQL has refused the login of the queue's role. */
function refusedLogins(): number {
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  return log.split('"waypost_queue" is not permitted to log in').length - 1;
}

/** The rate per second of a counter, measured while it grows by ATTEMPTS. */
async function perSecond(count: () => number): Promise<number> {
  const [begun, before] = [performance.now(), count()];
  await until('there were enough attempts', () => count() >= before + ATTEMPTS, count);
  return Math.round(((count() - before) * 1_000) / (performance.now() - begun));
}

/** Starts PostgreSQL with the product's durable settings, only with less memory. */
function start(): Promise<LaunchedPostgres> {
  return launchPostgres({ dataDir, settings: { port: String(port.postgres), shared_buffers: '32MB' } });
}

function eventOf(id: string): object {
  return {
    external_id: id,
    event_name: 'signed_up',
    contact: { email: `${id}@example.com` },
    idempotency_key: id,
  };
}

async function signUp(id: string): Promise<string> {
  await until('the event is accepted', () => workspace.signUp(id));
  return id;
}

async function status(path: string): Promise<number> {
  return fetch(url + path).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );
}

async function tripOf(externalId: string): Promise<string | undefined> {
  return inDatabase(async (database) => {
    const { rows } = await database.query<{ status: string }>(
      `SELECT t.status FROM trips t JOIN contacts c ON c.id = t.contact_id WHERE c.external_id = $1`,
      [externalId],
    );
    return rows[0]?.status;
  });
}

/** Number of unprocessed events and open trips. */
async function unfinished(): Promise<number> {
  const { rows } = await inDatabase((database) =>
    database.query<{ count: string }>(
      `SELECT (SELECT count(*) FROM events WHERE processed_at IS NULL)
        + (SELECT count(*) FROM trips WHERE completed_at IS NULL) AS count`,
    ),
  );
  return Number(rows[0]?.count);
}

async function inDatabase<Result>(work: (database: pg.Client) => Promise<Result>): Promise<Result> {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
