/** Event ingestion and contact upserts over HTTP, sections 2.11, 4.10 and 6.3, rule by rule. */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  workspace = await app.workspace();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const post = (body: unknown): ReturnType<TestWorkspace['call']> => workspace.call('POST', '/v1/events', body);
const batch = (events: unknown): ReturnType<TestWorkspace['call']> =>
  workspace.call('POST', '/v1/events/batch', { events });

async function stored(externalId: string): Promise<{ event_name: string; attributes: object }[]> {
  const { rows } = await admin.query(
    'SELECT event_name, attributes FROM events WHERE workspace_id = $1 AND external_id = $2 ORDER BY id',
    [workspace.id, externalId],
  );
  return rows;
}

describe('POST /v1/events', () => {
  test('202 means that the row is there', async () => {
    const answer = await post({ external_id: 'e1', event_name: 'signed_up', attributes: { plan: 'pro' } });
    expect([answer.status, answer.body]).toEqual([202, { event_id: expect.any(String), status: 'accepted' }]);
    expect(await stored('e1')).toEqual([{ event_name: 'signed_up', attributes: { plan: 'pro' } }]);
  });

  test('an unknown contact is created, with what the event says of it', async () => {
    await post({ user_id: 'e2', event_name: 'signed_up', contact_override: { first_name: 'Ada' } });
    const look = (): ReturnType<TestWorkspace['graphql']> =>
      workspace.graphql('{ contact(id: "e2") { externalId firstName subscriptionStatus } }');
    await until('the contact is there', async () => (await look()).body.data.contact !== null);
    expect((await look()).body.data.contact).toEqual({
      externalId: 'e2',
      firstName: 'Ada',
      subscriptionStatus: 'subscribed',
    });
  });

  test.each<[string, unknown, number, string]>([
    ['malformed JSON', '{"external_id":', 400, 'validation_error'],
    ['no object', [], 400, 'validation_error'],
    ['no external_id', { event_name: 'x' }, 400, 'validation_error'],
    ['no event_name', { external_id: 'e' }, 400, 'validation_error'],
    [
      'a name that is not snake case',
      { external_id: 'e', event_name: 'SignedUp' },
      400,
      'invalid_event_name',
    ],
    ['a bad email', { external_id: 'e', event_name: 'x', contact: { email: 'x' } }, 400, 'invalid_email'],
    [
      'a field of a wrong type',
      { external_id: 'e', event_name: 'x', attributes: 'no' },
      422,
      'invalid_field',
    ],
    ['an unknown field', { external_id: 'e', event_name: 'x', colour: 1 }, 422, 'invalid_field'],
    [
      'a day that does not exist',
      { external_id: 'e', event_name: 'x', occurred_at: '2026-02-30T00:00:00Z' },
      422,
      'invalid_field',
    ],
    [
      'a year before the first',
      { external_id: 'e', event_name: 'x', occurred_at: '0001-01-01T00:00:00+01:00' },
      422,
      'invalid_field',
    ],
    ['a NUL', { external_id: 'e', event_name: 'x', attributes: { a: '\0' } }, 422, 'invalid_field'],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body).toMatchObject({ detail: expect.any(String), request_id: expect.any(String) });
  });

  test('an empty contact says nothing: a deleted one stays deleted', async () => {
    await workspace.call('POST', '/v1/contacts', { external_id: 'gone' });
    await workspace.call('DELETE', '/v1/contacts/gone');
    const { body } = await post({ external_id: 'gone', event_name: 'x', contact: {} });
    const open = async (): Promise<unknown> =>
      (await admin.query('SELECT processed_at FROM events WHERE id = $1', [body.event_id])).rows[0]
        ?.processed_at;
    await until('the event is processed', async () => (await open()) !== null);
    const { body: contact } = await workspace.call('GET', '/v1/contacts/gone');
    expect(contact.subscription_status).toBe('deleted');
  });

  test('an idempotency key counts once for 24 hours, whoever comes at the same moment', async () => {
    const event = { external_id: 'e3', event_name: 'paid', idempotency_key: 'order-1' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(event)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(99).fill(409)]);
    expect(
      answers.filter(({ status }) => status === 409).every(({ body }) => body.code === 'duplicate_event'),
    ).toBe(true);
    expect(await stored('e3')).toHaveLength(1);

    app.clock.wind(24 * 3_600_000 - 1);
    expect((await post(event)).status).toBe(409);
    app.clock.wind(1);
    expect((await post(event)).status).toBe(202);
  });

  test('the same key is free in another workspace and in the other environment', async () => {
    const event = { external_id: 'e4', event_name: 'paid', idempotency_key: 'shared' };
    const other = await app.workspace();
    expect((await post(event)).status).toBe(202);
    expect((await other.call('POST', '/v1/events', event)).status).toBe(202);
    expect(
      (await workspace.call('POST', '/v1/events', event, { 'x-api-key': workspace.testKey })).status,
    ).toBe(202);
  });

  test('answers carry the rate limit', async () => {
    const { headers } = await post({ external_id: 'e5', event_name: 'x' });
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect(headers.get(name)).toMatch(/^\d+$/);
  });
});

describe('POST /v1/events/batch', () => {
  test('a bad item costs nobody but itself, and is named by its index', async () => {
    const good = (id: string): object => ({ external_id: id, event_name: 'x' });
    await post({ ...good('b0'), idempotency_key: 'taken' });
    const answer = await batch([
      good('b1'),
      { event_name: 'x' },
      { ...good('b2'), event_name: 'Bad' },
      { ...good('b3'), attributes: { a: 'x\0' } },
      { ...good('b4'), idempotency_key: 'taken' },
      { ...good('b5'), idempotency_key: 'new' },
      { ...good('b6'), idempotency_key: 'new' },
      7,
      good('b7'),
    ]);
    expect([answer.status, answer.body.accepted, answer.body.rejected]).toEqual([202, 3, 6]);
    expect(
      answer.body.errors.map((error: { index: number; code: string }) => [error.index, error.code]),
    ).toEqual([
      [1, 'validation_error'],
      [2, 'invalid_event_name'],
      [3, 'invalid_field'],
      [4, 'duplicate_event'],
      [6, 'duplicate_event'],
      [7, 'validation_error'],
    ]);
    for (const id of ['b1', 'b5', 'b7']) expect(await stored(id)).toHaveLength(1);
  });

  test('poisoned keys and deep nesting cost their item alone', async () => {
    const deep = `{"a":`.repeat(70) + '1' + '}'.repeat(70);
    const events = ['{"__proto__":1}', '{"constructor":{"prototype":1}}', deep, '{"plan":"pro"}'].map(
      (attributes, index) => `{"external_id":"p${index}","event_name":"x","attributes":${attributes}}`,
    );
    const answer = await workspace.call('POST', '/v1/events/batch', `{"events":[${events.join(',')}]}`);
    expect([answer.status, answer.body.accepted, answer.body.rejected]).toEqual([202, 1, 3]);
    const poison = 'The event contains a key that is not allowed: __proto__ or constructor.prototype.';
    expect(answer.body.errors).toEqual([
      { index: 0, code: 'validation_error', detail: poison },
      { index: 1, code: 'validation_error', detail: poison },
      { index: 2, code: 'validation_error', detail: 'The event is nested deeper than 64 levels.' },
    ]);
    expect(await stored('p3')).toEqual([{ event_name: 'x', attributes: { plan: 'pro' } }]);
    const around = '{"events":[{"external_id":"p4","event_name":"x"}],"__proto__":{}}';
    expect((await workspace.call('POST', '/v1/events/batch', around)).status).toBe(400);
    expect(await stored('p4')).toEqual([]);
  });

  test.each<[string, unknown, number]>([
    ['no list', undefined, 400],
    ['an empty list', [], 422],
    ['51 events', Array.from({ length: 51 }, () => ({ external_id: 'x', event_name: 'x' })), 422],
    ['no list but an object', {}, 422],
  ])('refuses %s', async (_, events, status) => {
    expect((await batch(events)).status).toBe(status);
  });
});

describe('POST /v1/contacts', () => {
  const upsert = (body: unknown): ReturnType<TestWorkspace['call']> =>
    workspace.call('POST', '/v1/contacts', body);

  test('201 when created, 200 when merged, and what has changed', async () => {
    const created = await upsert({
      external_id: 'c1',
      email: 'c1@example.com',
      properties: { plan: 'free', age: 3 },
      tags: ['a'],
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      external_id: 'c1',
      email: 'c1@example.com',
      phone: null,
      first_name: null,
      last_name: null,
      product_type: null,
      subscription_status: 'subscribed',
      timezone: null,
      locale: null,
      properties: { plan: 'free', age: 3 },
      tags: ['a'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      created: true,
      updated_fields: ['email', 'properties', 'tags'],
    });
    const merged = await upsert({ user_id: 'c1', properties: { plan: 'pro', age: null }, tags: ['b'] });
    expect(merged.status).toBe(200);
    expect(merged.body).toMatchObject({
      id: created.body.id,
      email: 'c1@example.com',
      properties: { plan: 'pro' },
      tags: ['b'],
      created: false,
      updated_fields: ['properties', 'tags'],
    });
    expect((await upsert({ external_id: 'c1' })).body.updated_fields).toEqual([]);
  });

  test('a hundred upserts of one contact at once make one contact and lose no property', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => upsert({ external_id: 'c2', properties: { [`p${i}`]: i } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
    expect(Object.keys((await upsert({ external_id: 'c2' })).body.properties)).toHaveLength(100);
  });

  test.each<[unknown, number, string]>([
    [{}, 400, 'validation_error'],
    [{ external_id: 'c', email: 'x' }, 400, 'invalid_email'],
    [{ external_id: 'c', timezone: 'Mars' }, 422, 'invalid_field'],
    [{ external_id: 'c', workspace_id: 'x' }, 422, 'invalid_field'],
  ])('refuses %j', async (body, status, code) => {
    const answer = await upsert(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('GET /v1/flows/{id}/trips', () => {
  test('an unknown flow is 404, also another workspace’s; a wrong page is 422', async () => {
    const flow = { name: 'F', trigger_event: 'never_posted', content_type: 'transactional' };
    const { body } = await workspace.call('POST', '/v1/flows', flow);
    const other = await app.workspace();
    const path = `/v1/flows/${body.id}/trips`;
    expect((await other.call('GET', path)).body.code).toBe('flow_not_found');
    expect((await workspace.call('GET', '/v1/flows/nonsense/trips')).status).toBe(404);
    expect((await workspace.call('GET', path)).body).toEqual({ trips: [], total: 0, limit: 50, offset: 0 });
    for (const query of ['limit=0', 'limit=201', 'offset=-1', 'limit=x', 'status=odd'])
      expect([query, (await workspace.call('GET', `${path}?${query}`)).status]).toEqual([query, 422]);
  });
});
