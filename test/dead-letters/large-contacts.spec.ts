/**
 * Contacts that steps of flows enlarge. Each step is within the limits of a request, but together they could add
 * megabytes, which hundreds of events would then load at a time. The same limits apply to steps as to requests.
 */
import pg from 'pg';
import type { Contact } from '../../src/modules/contacts/domain/contact.js';
import { KnownContacts } from '../../src/modules/contacts/application/known-contacts.js';
import { ContactRepository } from '../../src/modules/contacts/persistence/contact.repository.js';
import { MAX_MERGED_PROPERTIES_BYTES } from '../../src/modules/contacts/domain/contact-size.js';
import { Database } from '../../src/platform/database/database.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({ queues: ['events', 'trips', 'segments'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const STEP_BYTES = 60_000;
/** Maximum bytes of contacts that events of one batch read. */
const BATCH_BYTES = 16 * 1024 * 1024;

async function post(workspace: TestWorkspace, events: readonly object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 50) {
    const some = events.slice(from, from + 50);
    const { body } = await workspace.call('POST', '/v1/events/batch', { events: some });
    expect(body.accepted).toBe(some.length);
  }
}

async function refusals(): Promise<number> {
  const { values } = await app.app.get(Metrics).contactChangesRefused.get();
  return values[0]?.value ?? 0;
}

/** As an earlier release could store them; compressed, they take a hundredth of their bytes on disk. */
async function fatContacts(workspace: TestWorkspace, count: number): Promise<void> {
  await admin.query(
    `INSERT INTO contacts (workspace_id, environment, id, external_id, subscription_status, properties, tags, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'fat-' || n, 'subscribed',
       jsonb_build_object('blob', repeat('x', 4 * 1024 * 1024)), '{}', now(), now() FROM generate_series(1, $2) AS n`,
    [workspace.id, count],
  );
}

/** Starts recording; the returned function returns the bytes of contacts in each read. */
function watchReads(): () => Promise<number[]> {
  const find = jest.spyOn(app.app.get(ContactRepository, { strict: false }), 'find');
  find.mockClear();
  return async () => {
    const found = await Promise.all(find.mock.results.map(({ value }) => value as Promise<Contact[]>));
    return found.map((contacts) => Buffer.byteLength(JSON.stringify(contacts)));
  };
}

test('a step that would make a contact outgrow its bounds is left out and counted, and the trip goes on', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const steps = Array.from({ length: 7 }, (_, index) => ({
    type: 'update_contact',
    set: { [`p${index}`]: 'x'.repeat(STEP_BYTES) },
  }));
  const flow = {
    name: 'Swell',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    settings: { reentry_policy: 'always' },
    steps: [...steps, { type: 'update_contact', set: { last: 'small' } }],
  };
  const { body: created, status } = await workspace.call('POST', '/v1/flows', flow);
  expect(status).toBe(201);
  await workspace.call('POST', `/v1/flows/${created.id}/activate`);
  const before = await refusals();
  const events = Array.from({ length: 100 }, () => ({ external_id: 'ada', event_name: 'signed_up' }));
  await post(workspace, events);
  await until('all trips are over', async () => {
    const { rows } = await admin.query(
      `SELECT FROM trips WHERE workspace_id = $1 AND status = 'completed' AND ended_reason = 'finished'`,
      [workspace.id],
    );
    return rows.length === 100;
  });
  const { body: contact } = await workspace.call('GET', '/v1/contacts/ada');
  expect(Buffer.byteLength(JSON.stringify(contact.properties))).toBeLessThanOrEqual(
    MAX_MERGED_PROPERTIES_BYTES,
  );
  expect(Object.keys(contact.properties)).toEqual(expect.arrayContaining(['p0', 'p3', 'last']));
  expect((await refusals()) - before).toBe(100 * 3);
  const { body: aside } = await workspace.graphql('{ setAsideWork { edges { node { id } } } }');
  expect(aside.data.setAsideWork.edges).toEqual([]);
});

test('batches of events are cut by the bytes of their contacts, and all are done', async () => {
  const workspace = await app.workspace();
  await fatContacts(workspace, 20);
  const reads = watchReads();
  const events = Array.from({ length: 60 }, (_, index) => ({
    external_id: `fat-${(index % 20) + 1}`,
    event_name: 'signed_up',
    contact: { first_name: 'Ada' },
  }));
  await post(workspace, events);
  await until('all are done', async () => {
    const { rows } = await admin.query(
      'SELECT FROM events WHERE workspace_id = $1 AND processed_at IS NULL',
      [workspace.id],
    );
    return rows.length === 0;
  });
  const bytes = await reads();
  expect(Math.max(...bytes)).toBeGreaterThan(4 * 1024 * 1024);
  expect(Math.max(...bytes)).toBeLessThan(BATCH_BYTES + 5 * 1024 * 1024);
});

test('a bulk that touches large contacts reads them by bytes, and does all or nothing', async () => {
  const workspace = await app.workspace();
  await fatContacts(workspace, 12);
  const reads = watchReads();
  const contacts = [
    { external_id: 'new', tags: ['x'] },
    ...Array.from({ length: 12 }, (_, index) => ({ external_id: `fat-${12 - index}`, first_name: 'Ada' })),
    { external_id: 'fat-3', last_name: 'Lovelace' },
    { external_id: 'fat-4', properties: { more: true } },
  ];
  const { body } = await workspace.call('POST', '/v1/contacts/bulk', { contacts });
  expect(body).toMatchObject({ total: 15, created: 1, updated: 12, skipped: 1 });
  expect(body.errors).toMatchObject([{ index: 14, external_id: 'fat-4', code: 'invalid_field' }]);
  const bytes = await reads();
  expect(Math.max(...bytes)).toBeLessThan(BATCH_BYTES + 5 * 1024 * 1024);
  const { rows } = await admin.query(`SELECT FROM contacts WHERE workspace_id = $1 AND first_name = 'Ada'`, [
    workspace.id,
  ]);
  expect(rows).toHaveLength(12);
});

test('a number of few bytes weighs as many as reading it costs', async () => {
  const workspace = await app.workspace();
  const { rows } = await admin.query<{ id: string; bytes: number }>(
    `INSERT INTO contacts (workspace_id, environment, id, external_id, subscription_status, properties, tags, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'light', 'subscribed', jsonb_build_object('list', jsonb_agg('1e-999'::numeric)), '{}', now(), now()
     FROM generate_series(1, 63) RETURNING id, pg_column_size(properties) AS bytes`,
    [workspace.id],
  );
  const [{ id, bytes }] = rows as [{ id: string; bytes: number }];
  const scope = { workspaceId: workspace.id, environment: 'live' as const };
  const weights = await app.app
    .get(Database, { strict: false })
    .inScope(scope, (tx) => app.app.get(KnownContacts, { strict: false }).weigh(tx, scope, [id]));
  expect(bytes).toBeLessThan(2_000);
  expect(weights.get(id)).toBeGreaterThan(63 * 1_000);
});

test('touched contacts and their events are cut by bytes too', async () => {
  const workspace = await app.workspace();
  const created = await workspace.graphql(`mutation { createSegment(input: { name: "Buyers", match: "all",
    conditions: [{ event: "bought", operator: "has_done" }] }) { id } }`);
  expect(created.body.errors).toBeUndefined();
  const segmentId = created.body.data.createSegment.id;
  const events = Array.from({ length: 40 }, (_, index) => ({
    external_id: `buyer-${index % 4}`,
    event_name: 'bought',
    attributes: { note: 'x'.repeat(20_000) },
  }));
  await post(workspace, events);
  await until('all are members', async () => {
    const { rows } = await admin.query(
      'SELECT FROM segment_members WHERE segment_id = $1 AND left_at IS NULL',
      [segmentId],
    );
    return rows.length === 4;
  });
});
