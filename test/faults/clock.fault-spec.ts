/**
 * A three-day flow on a product clock that runs many times as fast; meanwhile the service is stopped cleanly once and
 * killed once. The flow continues where it was: each mail is sent once and in the flow's order, no wait is shorter than
 * the flow says, the last mail is claimed within its window, and the times in the rows never go back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DAY } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { figure } from '../support/figure.js';
import { until } from '../support/until.js';

/** A day takes six seconds. */
const SPEED = 14_400;

/** Two hours of the day. */
const WINDOW = { send_window_enabled: true, send_window_start: '04:00', send_window_end: '06:00' };

let dataDir: string;
let sink: MailSink;
let store: TestDatabase;
let database: pg.Client;
let env: Record<string, string>;
let url: string;
let service: ServiceProcess;
let workspace: OpenWorkspace;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-clock-'));
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
    CLOCK_SPEED: String(SPEED),
  };
  service = await ServiceProcess.start('up', env).ready(url);
  workspace = await openWorkspace(url, dataDir);
  await workspace.template('hello');
  const dayLater = [
    { type: 'wait', duration: '1d' },
    { type: 'update_contact', set: { stage: 'second day' } },
  ];
  await workspace.flow('promotional', 'signed_up', [
    { type: 'send_email', template_slug: 'hello', subject: 'Welcome' },
    {
      type: 'ab_split',
      variants: [
        { name: 'plain', percentage: 50, steps: dayLater },
        {
          name: 'asked',
          percentage: 50,
          steps: [{ type: 'conditional_split', branches: [{ name: 'all', steps: dayLater }] }],
        },
      ],
    },
    { type: 'wait', duration: '2d' },
    {
      type: 'condition',
      check: { source: 'latest_event', event_name: 'signed_up', exists: true },
      on_true: 'continue',
      on_false: 'skip_to_end',
    },
    {
      type: 'send_email',
      template_slug: 'hello',
      subject: 'Three days later',
      email_send_settings: WINDOW,
    },
  ]);
});

afterAll(async () => {
  await service.stop();
  await database.end();
  await store.drop();
  await sink.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** From here on the database records every change of the trip, and when its messages are claimed. */
async function recordChanges(): Promise<void> {
  await database.query(`
    CREATE TABLE observed_trips (n serial, at timestamptz, waited_until timestamptz);
    CREATE TABLE observed_claims (n serial, at timestamptz);
    CREATE FUNCTION record_trip() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO observed_trips (at, waited_until) VALUES (NEW.updated_at, OLD.resume_at);
      RETURN NULL;
    END $$;
    CREATE FUNCTION record_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO observed_claims (at) VALUES (NEW.updated_at);
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_trip AFTER UPDATE ON trips FOR EACH ROW EXECUTE FUNCTION record_trip();
    CREATE TRIGGER record_claim AFTER UPDATE ON email_logs FOR EACH ROW
      WHEN (NEW.status = 'sending' AND OLD.status = 'queued') EXECUTE FUNCTION record_claim();`);
}

test('three days with two restarts in the middle', async () => {
  await recordChanges();
  const begun = Date.now();
  expect(await workspace.signUp('ada')).toBe(true);
  await until('the welcome arrives', () => sink.mails.length === 1);
  // When its message is known to be sent, the trip is due immediately; only then does it execute the wait step.
  let first = await trip();
  await until('the trip waits for a day', async () => {
    first = await trip();
    return first.resume_at !== null && first.resume_at > first.updated_at;
  });
  await tick(1);

  // Within the first wait: a clean stop.
  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  service = await ServiceProcess.start('up', env).ready(url);
  await tick(2);
  await until('the second day has come', async () => (await trip()).stage === 'second day');
  const second = await trip();
  expect(second.stage).toBe('second day');
  expect(sink.mails).toHaveLength(1);
  await tick(3);

  // Within the second wait: a kill without warning.
  await service.killTree();
  service = await ServiceProcess.start('up', env).ready(url);
  await tick(4);
  await until('the trip is over', async () => (await trip()).status === 'completed');
  const took = Date.now() - begun;
  const last = await trip();
  figure(`Three days took ${(took / 1_000).toFixed(1)} s, two restarts included.`);

  const logs = await rows<{ subject: string; created_at: Date; sent_at: Date; status: string }>(
    'SELECT subject, created_at, sent_at, status FROM email_logs ORDER BY created_at',
  );
  expect(logs.map(({ subject, status }) => [subject, status])).toEqual([
    ['Welcome', 'sent'],
    ['Three days later', 'sent'],
  ]);
  expect(sink.mails.map(({ raw }) => /^subject: (.*)$/im.exec(raw)?.[1])).toEqual([
    'Welcome',
    'Three days later',
  ]);

  // Each wait began when the step before it ended, and was as long as the flow says.
  const [welcome, later] = logs;
  if (!welcome || !later || !first.resume_at || !second.resume_at) throw new Error('A moment is missing.');
  expect(first.resume_at.getTime()).toBe(first.updated_at.getTime() + DAY);
  expect(second.updated_at.getTime()).toBeGreaterThanOrEqual(first.resume_at.getTime());
  expect(second.resume_at.getTime()).toBe(second.updated_at.getTime() + 2 * DAY);
  expect(later.created_at.getTime()).toBeGreaterThanOrEqual(second.resume_at.getTime());
  // The second wait lasted until its time, whenever the service came back.
  const [afterWait] = await rows<{ at: Date; waited_until: Date }>(
    `SELECT at, waited_until FROM observed_trips
     WHERE n > (SELECT max(n) FROM observed_trips WHERE at = '${second.updated_at.toISOString()}') ORDER BY n LIMIT 1`,
  );
  expect(afterWait?.waited_until).toEqual(second.resume_at);
  expect(afterWait?.at.getTime()).toBeGreaterThanOrEqual(second.resume_at.getTime());
  // The last message was claimed within its window, despite the stop and the kill. How long the server took to accept
  // it depends on the machine.
  const [claim] = await rows<{ at: Date }>('SELECT at FROM observed_claims ORDER BY n DESC LIMIT 1');
  expect([4, 5]).toContain(claim?.at.getUTCHours());
  expect(later.sent_at.getTime()).toBeGreaterThanOrEqual(claim?.at.getTime() ?? Infinity);
  expect(last.id).toBe(first.id);

  // The clock as recorded in the rows, across both restarts.
  const ticks = await rows<{ external_id: string; received_at: Date }>(
    `SELECT external_id, received_at FROM events WHERE event_name = 'ticked' ORDER BY id`,
  );
  expect(ticks.map(({ external_id: id }) => id)).toEqual(['tick-1', 'tick-2', 'tick-3', 'tick-4']);
  const moments = [
    last.started_at,
    welcome.sent_at,
    first.updated_at,
    ...ticks.map((row) => row.received_at),
  ].map((moment) => moment.getTime());
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
  expect(last.updated_at.getTime()).toBeGreaterThanOrEqual(later.sent_at.getTime());
  // The kill came within the second wait; how long the service took to come back depends on the machine.
  expect(later.sent_at.getTime()).toBeGreaterThan(ticks[2]?.received_at.getTime() ?? Infinity);
});

async function tick(number: number): Promise<void> {
  const event = { external_id: `tick-${number}`, event_name: 'ticked' };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
}

interface TripRow {
  readonly id: string;
  readonly last_step: number;
  readonly status: string;
  readonly stage: string | null;
  readonly started_at: Date;
  readonly updated_at: Date;
  readonly resume_at: Date | null;
}

async function trip(): Promise<TripRow> {
  const [row] = await rows<TripRow>(
    `SELECT t.*, c.properties->>'stage' AS stage FROM trips t JOIN contacts c ON c.id = t.contact_id`,
  );
  if (!row) throw new Error('There is no trip.');
  return row;
}

async function rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  return (await database.query<Row>(sql)).rows;
}
