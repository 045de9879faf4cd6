/**
 * The queue on Redis, and Redis is killed and comes back with nothing: its content is only bells, so that all work is
 * done all the same; no event is refused meanwhile, no transactional mail is lost and no promotional one doubled.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { until } from '../support/until.js';

const EVENTS = 1_500;
const KILLS = 3;
/** The gate allows a minute for all pending work. */

const PROGRAM = ['redis-server', 'valkey-server'].find(isInstalled) ?? '';
// The test command names a Redis where this machine has the program; this one must be killed, so it is one's own.
const describeWithRedis = process.env['TEST_REDIS_URL'] && PROGRAM ? describe : describe.skip;

describeWithRedis('Redis is killed and comes back empty', () => {
  let dataDir: string;
  let sink: MailSink;
  let store: TestDatabase;
  let database: pg.Client;
  let redis: ChildProcess;
  let service: ServiceProcess;
  let workspace: OpenWorkspace;
  const port = { redis: 0, api: 0 };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'waypost-redis-'));
    sink = await MailSink.start();
    store = await createTestDatabase();
    database = new pg.Client({ connectionString: store.adminUrl });
    await database.connect();
    port.redis = await freePort();
    port.api = await freePort();
    redis = await startRedis();
    const url = `http://127.0.0.1:${port.api}`;
    service = await ServiceProcess.start('up', {
      PORT: String(port.api),
      DATA_DIR: dataDir,
      DATABASE_URL: store.adminUrl,
      SMTP_URL: sink.url,
      QUEUE_BACKEND: 'redis',
      REDIS_URL: `redis://127.0.0.1:${port.redis}`,
    }).ready(url);
    // The demo's plan lets a key pass a thousand times a minute, which a Redis that forgets counts now so and now so.
    await database.query(`UPDATE workspaces SET plan = 'enterprise'`);
    workspace = await openWorkspace(url, dataDir);
    await workspace.template('hello');
    await workspace.flow('transactional', 'signed_up', [{ type: 'send_email', template_slug: 'hello' }]);
    await workspace.flow('promotional', 'signed_up', [
      { type: 'update_contact', set: { greeted: 'yes' } },
      { type: 'send_email', template_slug: 'hello' },
    ]);
  });

  afterAll(async () => {
    const exit = await service?.stop();
    redis?.kill('SIGKILL');
    await database.end();
    await store.drop();
    await sink.stop();
    rmSync(dataDir, { recursive: true, force: true });
    expect(exit?.code).toBe(0);
  });

  test(`${KILLS} times in the midst of work: all is done, and once`, async () => {
    const refused: unknown[] = [];
    let posted = 0;
    const posters = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (posted < EVENTS) {
          const id = `u${posted++}`;
          const { status, body } = await workspace.call('POST', '/v1/events', {
            external_id: id,
            event_name: 'signed_up',
            contact: { email: `${id}@example.com` },
          });
          if (status !== 202) refused.push({ id, status, body });
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }),
    );
    for (let kill = 1; kill <= KILLS; kill++) {
      const [events, mails] = [posted, sink.mails.length];
      await until(
        'it is under way',
        () => posted >= Math.min(events + 200, EVENTS) && sink.mails.length > mails,
      );
      await endRedis();
      // Events come in without a queue.
      const cut = posted;
      await until('more events come in', () => posted >= Math.min(cut + 50, EVENTS));
      redis = await startRedis();
    }
    await posters;
    expect(refused).toEqual([]);
    const last = Date.now();
    await until(
      'all work is done',
      async () =>
        (await count('events', 'processed_at IS NULL')) === 0 &&
        (await count('trips', 'completed_at IS NULL')) === 0,
      () => Promise.all([count('events', 'processed_at IS NULL'), count('trips', 'completed_at IS NULL')]),
    );
    figure(`All work was done ${Date.now() - last} ms after the last event.`);

    const total = await count('events');
    expect(total).toBe(posted);
    expect(await count('trips', `status = 'completed'`)).toBe(2 * total);
    expect(await count('email_logs', `status = 'sent'`)).toBe(2 * total);
    // No process was killed, so that nothing is of unknown fate: each message has arrived, once.
    expect(new Set(sink.mails.map((mail) => mail.messageId)).size).toBe(2 * total);
    expect(sink.mails).toHaveLength(2 * total);
  });

  async function endRedis(): Promise<void> {
    const gone = new Promise((resolve) => redis.once('exit', resolve));
    redis.kill('SIGKILL');
    await gone;
  }

  async function startRedis(): Promise<ChildProcess> {
    const settings = {
      bind: '127.0.0.1',
      port: String(port.redis),
      save: '',
      appendonly: 'no',
      dir: dataDir,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(PROGRAM, flags, { stdio: 'ignore' });
    await until('Redis answers', () => answers(port.redis));
    return child;
  }

  function answers(at: number): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(at, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).once('error', () => resolve(false));
    });
  }

  async function count(table: string, condition = 'true'): Promise<number> {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    );
    return rows[0]?.count ?? 0;
  }
});

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
