/**
 * Every process is stopped for an hour while thousands of trips wait: after the start all due trips continue, each
 * once, and none early. Only `resume_at` in the row counts; the queue is not needed.
 */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { figure } from '../support/figure.js';
import { emptyQueueTables } from '../support/queue-tables.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

const TRIPS = repetitions({ short: 200, full: 10_000 });
/** Trips whose wait ends later. */
const LATER = repetitions({ short: 10, full: 500 });
const MINUTE = HOUR / 60;
/** Events of one request; every number of trips is a multiple of it. */
const BATCH = repetitions({ short: 10, full: 50 });

let app: TestApp;
let database: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  database = new pg.Client({ connectionString: app.adminUrl });
  await database.connect();
  workspace = await app.workspace();
  await workspace.call('POST', '/v1/templates', {
    name: 'x',
    slug: 'x',
    subject: 'Hi',
    body_html: '<p>Hi</p>',
  });
  const after = { type: 'update_contact', set: { waited: 'yes' } };
  await flow('long_wait', [{ type: 'wait', duration: '1h' }, after]);
  await flow('mail_wait', [
    { type: 'wait', duration: '1h' },
    after,
    { type: 'send_email', template_slug: 'x' },
  ]);
  await flow('longer_wait', [{ type: 'wait', duration: '3h' }, after]);
  await flow('before_them', [{ type: 'wait', duration: '2h' }, after]);
});

afterAll(async () => {
  await database.end();
  await app.close();
});

test(`${TRIPS} parked trips, an hour of standstill: all due go on, none twice, none early`, async () => {
  // Ten groups, six minutes apart; the last one begins to wait at the end of the hour.
  const group = TRIPS / 10;
  for (let start = 0; start < TRIPS; start += group) {
    if (start > 0) app.clock.wind(6 * MINUTE);
    await post('long_wait', start, group - BATCH);
    await post('mail_wait', start + group - BATCH, BATCH);
    if (start === 0) await post('longer_wait', TRIPS, LATER);
    // Due six minutes before the trips that wait longer.
    if (start === TRIPS - group) await post('before_them', TRIPS + LATER, 1);
    await until(
      'all events are processed',
      async () => (await count('events', 'processed_at IS NULL')) === 0,
    );
  }
  expect(await count('trips', `status = 'paused'`)).toBe(TRIPS + LATER + 1);
  // Every change of a trip from here on is recorded, no matter who makes it.
  await database.query(`
    CREATE TABLE seen_changes (trip_id uuid, step integer, status text, early boolean);
    CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO seen_changes VALUES (NEW.id, NEW.last_step, NEW.status, NEW.updated_at < OLD.resume_at);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_change AFTER UPDATE ON trips FOR EACH ROW EXECUTE FUNCTION note_change();`);
  await app.end();
  await emptyQueueTables(database);
  app.clock.wind(HOUR);
  const due = await count('trips', `resume_at <= $1`, [app.clock.now()]);
  expect(due).toBe(TRIPS);

  app = await bootApp({ on: app });
  const left = (): Promise<number> =>
    count('trips', `status = 'paused' AND resume_at <= $1`, [app.clock.now()]);
  const completed = (): Promise<number> => count('trips', `status = 'completed'`);
  const started = Date.now();
  await until('all that are due have gone on', async () => (await left()) === 0, left);
  const took = Date.now() - started;
  await until('all of them are over', async () => (await completed()) === TRIPS, completed);
  figure(`${TRIPS} due trips went on within ${took} ms of the start.`);

  expect(await count('trips', `status = 'paused'`)).toBe(LATER + 1);
  expect(await count('seen_changes', 'early')).toBe(0);
  // One change takes a trip past its wait to its end or to its mail, and one more from the mail to its end.
  const mails = (TRIPS / group) * BATCH;
  expect(await count('seen_changes', `status = 'completed'`)).toBe(TRIPS);
  expect(await count('(SELECT DISTINCT trip_id, step, status FROM seen_changes) AS c')).toBe(
    await count('seen_changes'),
  );
  expect(await count('(SELECT DISTINCT trip_id FROM seen_changes) AS c')).toBe(TRIPS);
  expect(await count('contacts', `properties->>'waited' = 'yes'`)).toBe(TRIPS);
  expect(await count('email_logs', `status = 'sent'`)).toBe(mails);
  expect(app.sink.mails).toHaveLength(mails);
  expect(new Set(app.sink.mails.flatMap((mail) => mail.to)).size).toBe(mails);

  // The rest continues at its time, not before.
  app.clock.wind(3 * HOUR - 54 * MINUTE - HOUR - 1);
  await until(
    'the one due before them goes on',
    async () => (await count('trips', `status = 'completed'`)) > TRIPS,
  );
  expect(await count('trips', `status = 'paused'`)).toBe(LATER);
  app.clock.wind(1);
  await until(
    'the rest goes on',
    async () => (await count('trips', `status = 'completed'`)) === TRIPS + LATER + 1,
  );
});

async function flow(event: string, steps: readonly object[]): Promise<void> {
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: event,
    trigger_event: event,
    content_type: 'transactional',
    steps,
  });
  const { status } = await workspace.call('POST', `/v1/flows/${body.id}/activate`);
  expect(status).toBe(200);
}

async function post(event: string, start: number, many: number): Promise<void> {
  for (let index = start; index < start + many; index += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, many) }, (_, offset) => ({
      external_id: `c${index + offset}`,
      event_name: event,
      contact: { email: `c${index + offset}@example.com` },
    }));
    const answer = await workspace.call('POST', '/v1/events/batch', { events });
    if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

async function count(from: string, condition = 'true', values: readonly unknown[] = []): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${from} WHERE ${condition}`,
    [...values],
  );
  return rows[0]?.count ?? 0;
}
