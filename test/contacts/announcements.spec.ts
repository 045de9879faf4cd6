/**
 * Domain events about contacts and events: each change is announced exactly once and with the right content,
 * whichever API caused it.
 */
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { ContactChangesListener } from '../../src/modules/contacts/application/contact-changes.listener.js';
import { OptOuts } from '../../src/modules/contacts/application/opt-outs.js';
import { AcceptedEventsListener } from '../../src/modules/events/application/accepted-events.listener.js';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { Database } from '../../src/platform/database/database.js';
import type { Listener } from '../../src/platform/database/listener.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let scope: TenantScope;

beforeAll(async () => {
  app = await bootApp({ queues: ['events', 'trips'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
  scope = { workspaceId: workspace.id, environment: 'live' };
});
afterEach(() => jest.restoreAllMocks());

/**
 * Records the batches that a listener port received for this workspace. The product's own listeners receive them,
 * too.
 */
function receivedBy<Item>(port: abstract new (...args: never[]) => Listener<Item>): () => Item[][] {
  const handle = jest.spyOn(app.app.get<Listener<Item>>(port), 'handle');
  return () =>
    handle.mock.calls.flatMap(([, { workspaceId }, batch]) =>
      workspaceId === workspace.id && batch.length > 0 ? [[...batch]] : [],
    );
}

const upsert = async (fields: object): Promise<string> =>
  (await workspace.call('POST', '/v1/contacts', { external_id: 'ada', ...fields })).body.id;

test('a contact is created, changed, deleted, revived, unsubscribed, comes back and is erased', async () => {
  const received = receivedBy(ContactChangesListener);
  const id = await upsert({ first_name: 'Ada' });
  await upsert({ first_name: 'Ada' });
  await upsert({ first_name: 'Grace', tags: ['vip'] });
  expect((await workspace.call('PATCH', '/v1/contacts/ada', { locale: 'de-DE' })).status).toBe(200);
  await workspace.call('DELETE', '/v1/contacts/ada');
  await workspace.call('DELETE', '/v1/contacts/ada');
  await upsert({ first_name: 'Ada' });
  const link = new URL(app.app.get(UnsubscribeLinks, { strict: false }).urlFor(scope, id, 'ada@example.com'));
  for (let time = 1; time <= 2; time++)
    expect((await app.request('POST', link.pathname + link.search)).status).toBe(200);
  const refusals = app.app.get(OptOuts, { strict: false });
  const database = app.app.get(Database);
  await database.inScope(scope, (tx) => refusals.optIn(tx, scope, id, app.clock.now()));
  const erase = 'mutation($id: ID!) { eraseContact(id: $id) { id } }';
  expect((await workspace.graphql(erase, { id })).body.errors).toBeUndefined();

  const [kept, gone] = ['subscribed', 'deleted'];
  const status = ['subscriptionStatus'];
  expect(received()).toEqual(
    [
      { what: 'created', statusBefore: null, status: kept, fields: ['firstName'] },
      { what: 'changed', statusBefore: kept, status: kept, fields: ['firstName', 'tags'] },
      { what: 'changed', statusBefore: kept, status: kept, fields: ['locale'] },
      { what: 'deleted', statusBefore: kept, status: gone, fields: status },
      { what: 'revived', statusBefore: gone, status: kept, fields: ['firstName', ...status] },
      { what: 'changed', statusBefore: kept, status: 'unsubscribed', fields: status },
      { what: 'changed', statusBefore: 'unsubscribed', status: kept, fields: status },
      {
        what: 'erased',
        statusBefore: kept,
        status: gone,
        fields: expect.arrayContaining(['externalId', 'email', 'properties']),
      },
    ].map((news) => [{ id, ...news }]),
  );
});

test('contacts of a bulk, new and known, are announced as one batch; so is what a step changes', async () => {
  const received = receivedBy(ContactChangesListener);
  await upsert({});
  const contacts = [{ external_id: 'bob' }, { external_id: 'ada', first_name: 'Ada' }];
  expect((await workspace.call('POST', '/v1/contacts/bulk', { contacts })).status).toBe(200);
  expect(received().at(-1)).toMatchObject([
    { what: 'created', fields: [] },
    { what: 'changed', fields: ['firstName'] },
  ]);
  const flow = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    steps: [{ type: 'update_contact', set: { plan: 'pro' } }],
  });
  await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`);
  await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
  await until('the step is taken', () => received().length === 3);
  expect(received()[2]).toMatchObject([{ what: 'changed', fields: ['properties'] }]);
});

test('an event is heard of also where the plan has no room for its contact', async () => {
  workspace = await app.workspace({ plan: 'free' });
  scope = { workspaceId: workspace.id, environment: 'live' };
  const id = await upsert({});
  await admin.query('UPDATE contact_counts SET contacts = 1500 WHERE workspace_id = $1', [workspace.id]);
  await workspace.graphql(`mutation { createSegment(input: { name: "Buyers", match: "all",
    conditions: [{ event: "bought", operator: "has_done" }] }) { id } }`);
  const flow = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'bought',
    content_type: 'transactional',
    steps: [{ type: 'wait', duration: '1d' }],
  });
  await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`);
  const received = receivedBy(AcceptedEventsListener);
  for (const external_id of ['stranger', 'ada'])
    await workspace.call('POST', '/v1/events', { external_id, event_name: 'bought' });
  await until('both are heard of', () => received().flat().length === 2);
  expect(received().flat()).toMatchObject([
    { name: 'bought', externalId: 'stranger', contactId: null, contactReachable: false },
    { name: 'bought', externalId: 'ada', contactId: id, contactReachable: true },
  ]);
  const trips = async () => (await workspace.call('GET', `/v1/flows/${flow.body.id}/trips`)).body.trips;
  await until('the trip has started', async () => (await trips()).length > 0);
  expect(await trips()).toMatchObject([{ contact_id: id }]);
});
