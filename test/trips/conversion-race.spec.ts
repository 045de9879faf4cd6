/**
 * Conversions race the sends of the trips that they end, a thousand times in the nightly run. A conversion is
 * recorded before its trip ends, and no transaction that commits after it may claim a send. The database verifies
 * this: when a claim commits, a trigger checks whether the conversion has been committed.
 */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

const ROUNDS = repetitions({ short: 2, full: 20 });
const EACH = 50;

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  await admin.query(WITNESS);
  workspace = await app.workspace();
  app.sink.delay = 20;
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const WITNESS = `
CREATE TABLE seen_wrong (what text, trip_id uuid);
CREATE FUNCTION see_send() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  IF EXISTS (SELECT FROM goal_conversions WHERE trip_id = NEW.origin_id) THEN
    INSERT INTO seen_wrong VALUES ('a send began behind the conversion', NEW.origin_id);
  END IF;
  RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER see_send AFTER UPDATE ON email_logs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.status = 'sending' AND OLD.status <> 'sending') EXECUTE FUNCTION see_send();
CREATE FUNCTION see_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM goal_conversions WHERE trip_id = NEW.id) THEN
    INSERT INTO seen_wrong VALUES ('a trip ended before its conversion was recorded', NEW.id);
  END IF;
  RETURN NULL; END $$;
CREATE TRIGGER see_end AFTER UPDATE ON trips FOR EACH ROW
  WHEN (NEW.ended_reason = 'goal_conversion') EXECUTE FUNCTION see_end();
`;

const count = async (sql: string): Promise<number> =>
  (await admin.query(`SELECT count(*)::int AS n ${sql}`)).rows[0].n;

async function flow(): Promise<string> {
  const template = { name: 'Welcome', slug: 'welcome', subject: 'Hi', body_html: '<p>Hi</p>' };
  await workspace.call('POST', '/v1/templates', template);
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    steps: [
      { type: 'wait', duration: '1h' },
      { type: 'send_email', template_slug: 'welcome' },
      { type: 'wait', duration: '300d' },
    ],
  });
  const goal = { name: 'Order', event_name: 'order_placed', exit_on_conversion: true };
  expect((await workspace.call('POST', `/v1/flows/${body.id}/goals`, goal)).status).toBe(201);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id as string;
}

const signUp = (name: string): object => ({
  external_id: name,
  event_name: 'signed_up',
  contact: { email: `${name}@example.com` },
});

test('no send begins behind its conversion', async () => {
  await flow();
  for (let round = 0; round < ROUNDS; round++) {
    const names = Array.from({ length: EACH }, (_, index) => `u${round}-${index}`);
    await workspace.call('POST', '/v1/events/batch', { events: names.map(signUp) });
    await until('the trips wait', async () => (await count("FROM trips WHERE status = 'paused'")) === EACH);
    const order = (name: string): Promise<unknown> =>
      workspace.call('POST', '/v1/events', { external_id: name, event_name: 'order_placed' });
    // In each round a different share of the orders arrives before the waits end, and the rest while messages are
    // sent.
    const early = Math.floor((round * EACH) / ROUNDS / 2);
    const before = names.slice(0, early).map(order);
    app.clock.wind(HOUR);
    await until(
      'messages are made',
      async () => (await count(`FROM email_logs WHERE created_at = '${app.clock.now().toISOString()}'`)) > 0,
    );
    const late = round % 2 === 0 ? names.slice(early) : names.slice(early).reverse();
    for (const name of late) await order(name);
    await Promise.all(before);
    await until(
      'all trips have ended',
      async () => (await count('FROM trips WHERE completed_at IS NULL')) === 0,
    );
    await until(
      'no message waits',
      async () => (await count("FROM email_logs WHERE status IN ('queued', 'sending')")) === 0,
    );
  }
  expect((await admin.query('SELECT * FROM seen_wrong')).rows).toEqual([]);
  expect(await count("FROM trips WHERE ended_reason = 'goal_conversion'")).toBe(ROUNDS * EACH);
  expect(await count('FROM goal_conversions WHERE counts_trip AND counts_event')).toBe(ROUNDS * EACH);
  const sent = await count("FROM email_logs WHERE status = 'sent'");
  expect(app.sink.mails).toHaveLength(sent);
  // Proves that there was a race: some sends were faster than their conversion, and some were not.
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(ROUNDS * EACH);
}, 600_000);
