/**
 * The queue is on Redis, and Redis is killed and returns empty. It only contains wake-ups, so all work is done
 * nevertheless: no event is refused meanwhile, no transactional mail is lost and no promotional mail duplicated.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { HAS_REDIS, RedisServer } from '../support/redis-server.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

const EVENTS = repetitions({ short: 150, full: 1_500 });
const KILLS = repetitions({ short: 2, full: 3 });
/** Between a kill of Redis and the next. */
const EVENTS_BEFORE_KILL = repetitions({ short: 30, full: 200 });
/** While Redis is down. */
const EVENTS_MEANWHILE = repetitions({ short: 30, full: 50 });

(HAS_REDIS ? describe : describe.skip)('Redis is killed and comes back empty', () => {
  let dataDir: string;
  let sink: MailSink;
  let store: TestDatabase;
  let database: pg.Client;
  let redis: RedisServer;
  let service: ServiceProcess;
  let workspace: OpenWorkspace;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'waypost-redis-'));
    sink = await MailSink.start();
    store = await createTestDatabase();
    database = new pg.Client({ connectionString: store.adminUrl });
    await database.connect();
    redis = await RedisServer.start(dataDir);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    service = await ServiceProcess.start('up', {
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: store.adminUrl,
      SMTP_URL: sink.url,
      QUEUE_BACKEND: 'redis',
      REDIS_URL: redis.url,
    }).ready(url);
    // The demo's plan allows a key a thousand requests a minute, which a Redis that loses its data counts unreliably.
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
    await redis?.kill();
    await database.end();
    await store.drop();
    await sink.stop();
    rmSync(dataDir, { recursive: true, force: true });
    expect(exit?.code).toBe(0);
  });

  test('all keys begin with the prefix of the installation', async () => {
    const client = new Redis(redis.url);
    try {
      await until('there are keys', async () => (await client.dbsize()) > 0);
      const keys = await client.keys('*');
      expect(keys.filter((key) => !/^waypost:[0-9a-f]{12}:/.test(key))).toEqual([]);
    } finally {
      client.disconnect();
    }
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
        () => posted >= Math.min(events + EVENTS_BEFORE_KILL, EVENTS) && sink.mails.length > mails,
      );
      await redis.kill();
      // Events arrive without a queue.
      const cut = posted;
      await until('more events come in', () => posted >= Math.min(cut + EVENTS_MEANWHILE, EVENTS));
      await redis.restart();
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
    // No process was killed, so no outcome is unknown: each message has arrived once.
    expect(new Set(sink.mails.map((mail) => mail.messageId)).size).toBe(2 * total);
    expect(sink.mails).toHaveLength(2 * total);
  });

  async function count(table: string, condition = 'true'): Promise<number> {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    );
    return rows[0]?.count ?? 0;
  }
});
