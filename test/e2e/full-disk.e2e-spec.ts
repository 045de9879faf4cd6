/**
 * A database server that cannot store anything: callers get an error that asks them to retry later, no value is blamed,
 * and a metric reports it. The server raises the same error codes as with a full disk.
 */
import pg from 'pg';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
});
afterEach(() => admin.query('DROP FUNCTION IF EXISTS refuse_writes CASCADE'));
afterAll(async () => {
  await admin.end();
  await app.close();
});

/** Makes each new row of a table fail: immediately, or at commit. */
async function refuse(table: string, sqlstate: string, when: 'at once' | 'at the commit'): Promise<void> {
  const kind = when === 'at once' ? 'TRIGGER' : 'CONSTRAINT TRIGGER';
  const moment = when === 'at once' ? 'FOR EACH ROW' : 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';
  await admin.query(`
    CREATE FUNCTION refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '${sqlstate}'; END $$;
    CREATE ${kind} refuse_writes AFTER INSERT ON ${table} ${moment} EXECUTE FUNCTION refuse_writes()`);
}

async function shortages(sqlstate: string): Promise<number> {
  const { values } = await app.app.get(Metrics, { strict: false }).databaseShortages.get();
  return values.find(({ labels }) => labels.sqlstate === sqlstate)?.value ?? 0;
}

const EVENT = { external_id: 'ada', event_name: 'signed_up' };
const TEMPLATE = { name: 'A', slug: 'a', subject: 'A', body_html: '<p>A</p>' };

test.each([
  ['53100', 'events', '/v1/events', EVENT, 'at once'],
  ['53100', 'events', '/v1/events/batch', { events: [EVENT] }, 'at the commit'],
  ['53100', 'contacts', '/v1/contacts', { external_id: 'bob' }, 'at once'],
  ['53100', 'templates', '/v1/templates', TEMPLATE, 'at the commit'],
  ['53000', 'events', '/v1/events', EVENT, 'at once'],
  ['53200', 'events', '/v1/events', EVENT, 'at once'],
  ['53300', 'events', '/v1/events', EVENT, 'at once'],
  ['53400', 'events', '/v1/events', EVENT, 'at the commit'],
  ['58030', 'events', '/v1/events', EVENT, 'at the commit'],
  ['25006', 'templates', '/v1/templates', TEMPLATE, 'at once'],
] as const)('%s of %s: POST %s is told to come back', async (sqlstate, table, path, body, when) => {
  const before = await shortages(sqlstate);
  await refuse(table, sqlstate, when);
  const answer = await workspace.call('POST', path, body);
  expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('10');
  expect(JSON.stringify(answer.body)).not.toContain('No space');
  expect(await shortages(sqlstate)).toBe(before + 1);
});

test('a mutation of GraphQL is told so too, and once there is room all is as before', async () => {
  const mutation = `mutation { createSegment(input: { name: "A", match: "all", conditions: [] }) { id } }`;
  await refuse('segments', '53100', 'at once');
  const refused = await workspace.graphql(mutation);
  expect(refused.body.errors[0].extensions).toMatchObject({ code: 'service_unavailable', status: 503 });
  expect(refused.headers.get('retry-after')).toBe('10');
  await admin.query('DROP FUNCTION refuse_writes CASCADE');
  expect((await workspace.call('POST', '/v1/events', EVENT)).status).toBe(202);
});
