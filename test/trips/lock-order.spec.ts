/**
 * A transaction that holds a contact may wait for its trips, such as a batch of events whose conversions end them.
 * The engine holds trips, so it must never wait for a contact.
 */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const rowOf = async (sql: string, ...values: unknown[]): Promise<any> =>
  (await admin.query(sql, values)).rows[0];

test('a due trip whose contact somebody holds is left for later, and can be had meanwhile', async () => {
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'began',
    content_type: 'transactional',
    steps: [
      { type: 'wait', duration: '1d' },
      { type: 'update_contact', set: { stage: 'late' } },
    ],
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  for (const name of ['ada', 'bob'])
    await workspace.call('POST', '/v1/events', { external_id: name, event_name: 'began' });
  const tripOf = (name: string): Promise<any> =>
    rowOf(
      `SELECT t.id, t.contact_id, t.status FROM trips t JOIN contacts c ON c.id = t.contact_id WHERE c.external_id = $1`,
      name,
    );
  await until('both trips wait', async () => (await tripOf('ada')) && (await tripOf('bob')));
  const { id, contact_id: contactId } = await tripOf('ada');
  const deadlocks = async (): Promise<unknown> =>
    (await rowOf('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')).deadlocks;
  const before = await deadlocks();

  const other = new pg.Client({ connectionString: app.adminUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM contacts WHERE id = $1 FOR NO KEY UPDATE', [contactId]);
    app.clock.wind(DAY);
    await until('the engine waits for the contact', async () =>
      rowOf(
        `SELECT 1 AS one FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM contacts%'`,
      ),
    );
    // Like a conversion that ends the trip. If the engine held the trip while it waits for the contact, this would
    // be a deadlock.
    await other.query(`SET LOCAL deadlock_timeout = '1min'`);
    await other.query('SELECT FROM trips WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await until('the other trip goes on', async () => (await tripOf('bob')).status === 'completed');
    expect((await tripOf('ada')).status).toBe('paused');
    await other.query('COMMIT');
  } finally {
    await other.end();
  }
  await until('the trip goes on', async () => (await tripOf('ada')).status === 'completed');
  expect(await deadlocks()).toBe(before);
  const contacts = await admin.query('SELECT properties FROM contacts');
  expect(contacts.rows).toEqual([{ properties: { stage: 'late' } }, { properties: { stage: 'late' } }]);
});
