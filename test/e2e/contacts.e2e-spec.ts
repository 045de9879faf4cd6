/**
 * Contacts over HTTP, rule by rule: sections 2.11, 4.10, 5, 7 and 8.2. Other files test lists, bulk, export and
 * erasure.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

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

const at = (externalId: string): string => `/v1/contacts/${encodeURIComponent(externalId)}`;
const upsert = (body: unknown, of = workspace): Promise<Answer> => of.call('POST', '/v1/contacts', body);
const patch = (id: string, body: unknown, of = workspace): Promise<Answer> => of.call('PATCH', at(id), body);
const remove = (id: string, of = workspace): Promise<Answer> => of.call('DELETE', at(id));
const get = (id: string, of = workspace): Promise<Answer> => of.call('GET', at(id));
const coded = ({ status, body }: Answer): unknown[] => [status, body.code];

async function storedCount(of: TestWorkspace, environment = 'live'): Promise<{ kept: number; rows: number }> {
  const { rows } = await admin.query<{ kept: number; rows: number }>(
    `SELECT coalesce((SELECT contacts FROM contact_counts WHERE workspace_id = $1 AND environment = $2), 0) AS kept,
       (SELECT count(*)::int FROM contacts WHERE workspace_id = $1 AND environment = $2
         AND subscription_status <> 'deleted') AS rows`,
    [of.id, environment],
  );
  if (!rows[0]) throw new Error('No count.');
  return rows[0];
}

describe('identifiers', () => {
  test('user_id is an alias of external_id; where both are, external_id names the contact', async () => {
    expect((await upsert({ user_id: 'alias' })).body.external_id).toBe('alias');
    expect((await upsert({ external_id: 'first', user_id: 'second' })).body.external_id).toBe('first');
    expect((await get('second')).status).toBe(404);
  });

  test.each([
    'with space',
    'a/b',
    'ümläut',
    'a%41b',
    'x?y#z',
    '字'.repeat(255),
    'a@b.co',
    'bulk',
    'export',
    '😀'.repeat(255),
  ])('any text names a contact in a path: %s', async (id) => {
    expect((await upsert({ external_id: id })).status).toBe(201);
    expect((await get(id)).body.external_id).toBe(id);
    expect((await patch(id, { first_name: 'N' })).body).toMatchObject({ external_id: id, first_name: 'N' });
    expect((await remove(id)).status).toBe(204);
  });

  test('what an erased contact is called is reserved', async () => {
    const name = 'erased-0193e5c0-0000-7000-8000-000000000001';
    const answer = await upsert({ external_id: name });
    expect([...coded(answer), answer.body.errors[0].field]).toEqual([422, 'invalid_field', 'external_id']);
    expect((await get(name)).status).toBe(404);
  });

  test('who is changed or deleted is named by external_id alone', async () => {
    const { id } = (await upsert({ external_id: 'by name' })).body;
    for (const answer of [await patch(id, { first_name: 'A' }), await remove(id)]) {
      expect(coded(answer)).toEqual([404, 'contact_not_found']);
      expect(answer.body.detail).toBe(`No contact has the external_id ${id}.`);
    }
  });

  test('a patch may repeat the identifier of its path, and name no other', async () => {
    await upsert({ external_id: 'path' });
    expect((await patch('path', { external_id: 'path', user_id: 'path' })).status).toBe(200);
    for (const field of ['external_id', 'user_id']) {
      const answer = await patch('path', { [field]: 'other' });
      expect([...coded(answer), answer.body.errors[0].field]).toEqual([422, 'invalid_field', field]);
    }
  });

  test('a contact is got by its record id in either case, and by external_id', async () => {
    const { id } = (await upsert({ external_id: 'both', email: 'both@example.com' })).body;
    const expected = {
      id,
      external_id: 'both',
      email: 'both@example.com',
      phone: null,
      first_name: null,
      last_name: null,
      product_type: null,
      subscription_status: 'subscribed',
      timezone: null,
      locale: null,
      properties: {},
      tags: [],
      created_at: app.clock.now().toISOString(),
      updated_at: app.clock.now().toISOString(),
    };
    for (const name of [id, id.toUpperCase(), 'both']) expect((await get(name)).body).toEqual(expected);
  });
});

describe('tags', () => {
  test('of an upsert replace the list; operators add and remove, under either name', async () => {
    await upsert({ external_id: 't', tags: ['a', 'b', 'a'] });
    const steps: [object, string[]][] = [
      [{ $add_tags: ['c', 'a'] }, ['a', 'b', 'c']],
      [{ add_tags: ['d'] }, ['a', 'b', 'c', 'd']],
      [{ $remove_tags: ['a', 'unknown'] }, ['b', 'c', 'd']],
      [{ remove_tags: ['b'] }, ['c', 'd']],
      [{ $add_tags: ['e'], $remove_tags: ['e', 'c'] }, ['d']],
      [{ tags: ['x'], $add_tags: ['y'], add_tags: ['z'] }, ['x', 'y', 'z']],
      [{ tags: [] }, []],
    ];
    for (const [change, tags] of steps) expect((await patch('t', change)).body.tags).toEqual(tags);
    await upsert({ external_id: 'u', tags: ['a', 'b'] });
    for (const [change, tags] of steps)
      expect((await upsert({ external_id: 'u', ...change })).body.tags).toEqual(tags);
  });

  test('operators count in the contact of an event too', async () => {
    await upsert({ external_id: 'te', tags: ['a', 'b'] });
    const contact = { $add_tags: ['c'], remove_tags: ['a'], properties: { plan: 'pro', gone: null } };
    await workspace.call('POST', '/v1/events', { external_id: 'te', event_name: 'seen', contact });
    await until('it is processed', async () => (await get('te')).body.properties.plan === 'pro');
    expect((await get('te')).body).toMatchObject({ tags: ['b', 'c'], properties: { plan: 'pro' } });
  });

  test.each([
    [{ tags: null }],
    [{ $add_tags: 'a' }],
    [{ remove_tags: [''] }],
    [{ add_tags: ['x'.repeat(256)] }],
  ])('refuses %j with 422', async (change) => {
    await upsert({ external_id: 'tr' });
    for (const answer of [await patch('tr', change), await upsert({ external_id: 'tr', ...change })]) {
      expect(coded(answer)).toEqual([422, 'invalid_field']);
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(Object.keys(change));
    }
  });
});

describe('properties', () => {
  const merge = (id: string, change: object): Promise<Answer> => upsert({ external_id: id, ...change });

  test('merge one level deep: null removes, what is nested is replaced whole, with its nulls', async () => {
    await upsert({
      external_id: 'p',
      properties: { keep: 1, gone: 2, address: { city: 'Rome', zip: '1' }, no: null },
    });
    const { body } = await patch('p', { properties: { gone: null, address: { city: null }, new: [null] } });
    const expected = { keep: 1, address: { city: null }, new: [null] };
    expect(body.properties).toEqual(expected);
    expect((await get('p')).body.properties).toEqual(expected);
    const again = await upsert({ external_id: 'p', properties: { gone: null, keep: 1 } });
    expect([again.body.updated_fields, again.body.properties]).toEqual([[], expected]);
  });

  test('what is awkward comes back as it was sent', async () => {
    const properties = {
      '': 0,
      'a.b': '\u{1F600}\r\n\t"\\',
      constructor: 1,
      toString: 'x',
      big: 1e300,
      no: false,
    };
    expect((await upsert({ external_id: 'pa', properties })).body.properties).toEqual(properties);
    expect((await get('pa')).body.properties).toEqual(properties);
  });

  test('grow to 256 KB by merges and not beyond', async () => {
    const part = 'x'.repeat(60_000);
    for (const name of ['a', 'b', 'c', 'd'])
      expect((await merge('grown', { properties: { [name]: part } })).status).toBeLessThan(300);
    for (const answer of [
      await upsert({ external_id: 'grown', email: 'grown@example.com', properties: { e: part } }),
      await patch('grown', { email: 'grown@example.com', properties: { e: part } }),
    ]) {
      expect(coded(answer)).toEqual([422, 'invalid_field']);
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(['properties']);
    }
    // The refused change left no trace, and a change that makes the contact smaller is accepted.
    expect((await get('grown')).body.email).toBeNull();
    expect((await patch('grown', { properties: { a: null, e: part } })).status).toBe(200);
  });

  test('that would outgrow the contact are left out of an event, and its batch goes on', async () => {
    const part = 'x'.repeat(60_000);
    for (const name of ['a', 'b', 'c', 'd']) await merge('large', { properties: { [name]: part } });
    const event = { external_id: 'large', event_name: 'seen', attributes: { n: 1 } };
    await workspace.call('POST', '/v1/events/batch', {
      events: [
        { ...event, contact: { properties: { e: part } } },
        { ...event, contact: { first_name: 'After' } },
        { external_id: 'next', event_name: 'seen', contact: { first_name: 'Next' } },
      ],
    });
    await until('the batch is processed', async () => (await get('next')).body.first_name === 'Next');
    const { body } = await get('large');
    expect([body.first_name, Object.keys(body.properties)]).toEqual(['After', ['a', 'b', 'c', 'd']]);
    expect((await app.request('GET', '/metrics')).body).toContain('waypost_contact_changes_refused_total 1');
  });

  test('no merge of tags makes more than a thousand', async () => {
    const tags = (from: number): string[] => Array.from({ length: 100 }, (_, i) => `t${from + i}`);
    for (let n = 0; n < 1_000; n += 100) await merge('tagged', { $add_tags: tags(n) });
    const answer = await patch('tagged', { $add_tags: ['one-more'] });
    expect([...coded(answer), answer.body.errors[0].field]).toEqual([422, 'invalid_field', 'tags']);
    expect((await patch('tagged', { $add_tags: ['t7'] })).status).toBe(200);
  });
});

describe('values', () => {
  test.each<[string, unknown, number, string]>([
    ['an email that is none', { email: 'nobody' }, 400, 'invalid_email'],
    ['an empty email', { email: '' }, 400, 'invalid_email'],
    ['an email of a wrong type', { email: 7 }, 422, 'invalid_field'],
    ['a bad email beside a wrong field', { email: 'nobody', phone: 1 }, 422, 'invalid_field'],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 422, 'invalid_field'],
    ['an offset as a time zone', { timezone: '+01:00' }, 422, 'invalid_field'],
    ['an empty time zone', { timezone: '' }, 422, 'invalid_field'],
    ['a locale with an underscore', { locale: 'en_US' }, 422, 'invalid_field'],
    ['a text that is too long', { first_name: 'x'.repeat(256) }, 422, 'invalid_field'],
    ['a text with NUL', { phone: 'a\0' }, 422, 'invalid_field'],
    ['half a character', { last_name: '\ud83d' }, 422, 'invalid_field'],
    ['properties that are no object', { properties: [] }, 422, 'invalid_field'],
    ['properties that are null', { properties: null }, 422, 'invalid_field'],
    ['more than 64 KB of properties', { properties: { a: 'x'.repeat(65_536) } }, 422, 'invalid_field'],
    ['the status', { subscription_status: 'deleted' }, 422, 'invalid_field'],
    ['the record id', { id: 'x' }, 422, 'invalid_field'],
    ['an unknown field', { colour: 'red' }, 422, 'invalid_field'],
    ['no object', [], 400, 'validation_error'],
    ['malformed JSON', '{"first_name":', 400, 'validation_error'],
    ['poison', '{"properties":{"__proto__":{"a":1}}}', 400, 'validation_error'],
  ])('refuses %s', async (_, change, status, code) => {
    await upsert({ external_id: 'v' });
    const isFields = typeof change === 'object' && !Array.isArray(change);
    const answers = [
      await patch('v', change),
      await upsert(isFields ? { external_id: 'v', ...(change as object) } : change),
    ];
    for (const answer of answers) {
      expect(coded(answer)).toEqual([status, code]);
      expect(answer.body).toMatchObject({ detail: expect.any(String), request_id: expect.any(String) });
    }
  });

  test('null clears a field, and absent says nothing', async () => {
    const fields = { email: 'n@example.com', phone: '1', timezone: 'Europe/Berlin', locale: 'de-AT' };
    await upsert({ external_id: 'n', ...fields });
    const { body } = await patch('n', { email: null, timezone: null });
    expect(body).toMatchObject({ ...fields, email: null, timezone: null });
  });
});

describe('deleting', () => {
  test('hides the contact, which still answers to its name; twice is once', async () => {
    const { id } = (await upsert({ external_id: 'd', email: 'd@example.com' })).body;
    const before = await storedCount(workspace);
    const first = await remove('d');
    expect([first.status, first.body]).toEqual([204, '']);
    expect((await remove('d')).status).toBe(204);
    expect(await storedCount(workspace)).toEqual({ kept: before.kept - 1, rows: before.rows - 1 });
    for (const name of ['d', id])
      expect((await get(name)).body).toMatchObject({ id, subscription_status: 'deleted' });
    const found = await workspace.call('GET', '/v1/contacts?search=d@example.com');
    expect(found.body.meta.total).toBe(0);
    const { data } = (await workspace.graphql('{ contact(id: "d") { subscriptionStatus } }')).body;
    expect(data.contact.subscriptionStatus).toBe('deleted');
  });

  test('leaves nothing to patch, and an upsert brings the contact back as it was', async () => {
    const { id } = (await upsert({ external_id: 'r', first_name: 'Ada', tags: ['x'] })).body;
    await remove('r');
    expect(coded(await patch('r', { first_name: 'B' }))).toEqual([404, 'contact_not_found']);
    const back = await upsert({ external_id: 'r', phone: '1' });
    expect(back.status).toBe(200);
    expect(back.body).toMatchObject({
      id,
      created: false,
      first_name: 'Ada',
      tags: ['x'],
      subscription_status: 'subscribed',
      updated_fields: ['phone', 'subscription_status'],
    });
    const { kept, rows } = await storedCount(workspace);
    expect(kept).toBe(rows);
  });

  test('an unsubscribed contact stays so whatever is upserted', async () => {
    await upsert({ external_id: 'un' });
    await admin.query(
      `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = 'un'`,
      [workspace.id],
    );
    expect((await upsert({ external_id: 'un', first_name: 'A' })).body.subscription_status).toBe(
      'unsubscribed',
    );
  });

  test('whoever had unsubscribed before being deleted comes back unsubscribed', async () => {
    await upsert({ external_id: 'optout' });
    await admin.query(
      `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = 'optout'`,
      [workspace.id],
    );
    await remove('optout');
    const back = await upsert({ external_id: 'optout', first_name: 'A' });
    expect(back.body.subscription_status).toBe('unsubscribed');
    expect((await get('optout')).body.subscription_status).toBe('unsubscribed');
  });

  test('an event without contact data does not bring it back, one with it does', async () => {
    await upsert({ external_id: 'ev' });
    await remove('ev');
    const event = { external_id: 'ev', event_name: 'seen' };
    const pending = async (): Promise<boolean> =>
      (
        await admin.query('SELECT FROM events WHERE workspace_id = $1 AND processed_at IS NULL', [
          workspace.id,
        ])
      ).rowCount === 0;
    await workspace.call('POST', '/v1/events', event);
    await until('it is processed', pending);
    expect((await get('ev')).body.subscription_status).toBe('deleted');
    await workspace.call('POST', '/v1/events', { ...event, contact: { first_name: 'Back' } });
    await until('it is processed', pending);
    expect((await get('ev')).body).toMatchObject({ subscription_status: 'subscribed', first_name: 'Back' });
  });

  test.each(['unknown', 'x\u0001', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0'])(
    'an unknown contact is 404 contact_not_found to every verb: %j',
    async (id) => {
      for (const answer of [await get(id), await patch(id, {}), await remove(id)])
        expect(coded(answer)).toEqual([404, 'contact_not_found']);
    },
  );
});

describe("the plan's limit", () => {
  const fill = async (of: TestWorkspace, count: number): Promise<void> => {
    const contacts = Array.from({ length: count }, (_, i) => ({ external_id: `f${i}` }));
    expect((await of.call('POST', '/v1/contacts/bulk', { contacts })).body.created).toBe(count);
  };

  test('lets exactly its number pass under 50 parallel upserts (R16)', async () => {
    const free = await app.workspace({ plan: 'free' });
    await fill(free, 995);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => upsert({ external_id: `n${i}` }, free)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(45);
    for (const { body } of refused)
      expect(body).toMatchObject({
        code: 'plan_limit_reached',
        limit_type: 'contacts',
        current: 1_000,
        maximum: 1_000,
        plan: 'free',
      });
    expect(await storedCount(free)).toEqual({ kept: 1_000, rows: 1_000 });
  });

  test('binds new contacts and those that come back, not those that are there', async () => {
    const free = await app.workspace({ plan: 'free' });
    await fill(free, 1_000);
    expect((await upsert({ external_id: 'f1', phone: '1' }, free)).status).toBe(200);
    await remove('f1', free);
    expect((await upsert({ external_id: 'new' }, free)).status).toBe(201);
    expect(coded(await upsert({ external_id: 'f1' }, free))).toEqual([403, 'plan_limit_reached']);
    expect((await get('f1', free)).body.subscription_status).toBe('deleted');
    await remove('new', free);
    expect((await upsert({ external_id: 'f1' }, free)).status).toBe(200);
    expect(await storedCount(free)).toEqual({ kept: 1_000, rows: 1_000 });
  });

  test('loses no opt-out of a contact for which there is no room', async () => {
    const free = await app.workspace({ plan: 'free' });
    await fill(free, 1_000);
    const out = { subscription_status: 'unsubscribed' };
    const single = await upsert({ external_id: 'n1', email: 'one@example.com', ...out }, free);
    expect(coded(single)).toEqual([403, 'plan_limit_reached']);
    const contacts = [{ external_id: 'n2', email: 'two@example.com', ...out }];
    expect((await free.call('POST', '/v1/contacts/bulk', { contacts })).body.errors).toHaveLength(1);
    for (const [id, email] of [
      ['f1', 'One@example.com'],
      ['f2', 'two@example.com'],
    ])
      expect((await upsert({ external_id: id, email }, free)).body.subscription_status).toBe('unsubscribed');
  });

  test('tells how many there are where a plan became smaller, and counts the test environment apart', async () => {
    const free = await app.workspace({ plan: 'free' });
    await fill(free, 1_000);
    await admin.query('UPDATE contact_counts SET contacts = 1500 WHERE workspace_id = $1', [free.id]);
    expect((await upsert({ external_id: 'n' }, free)).body).toMatchObject({ current: 1_500, maximum: 1_000 });
    const asTest = { 'x-api-key': free.testKey };
    expect((await free.call('POST', '/v1/contacts', { external_id: 'n' }, asTest)).status).toBe(201);
  });
});

describe('who may', () => {
  test('keys of the scopes data, management and full write; reporting is scope_forbidden', async () => {
    const keys = await app.workspace();
    for (const scope of ['data', 'management', 'full', 'reporting']) {
      const made = await keys.graphql(
        `mutation { createApiKey(input: { name: "k", scope: ${scope}, environment: live }) { key } }`,
      );
      const headers = { 'x-api-key': made.body.data.createApiKey.key };
      const writes: [string, string, unknown, number][] = [
        ['POST', '/v1/contacts', { external_id: scope }, 201],
        ['PATCH', at(scope), { phone: '1' }, 200],
        ['POST', '/v1/contacts/bulk', { contacts: [{ external_id: scope }] }, 200],
        ['DELETE', at(scope), undefined, 204],
      ];
      for (const [method, path, body, status] of writes) {
        const answer = await keys.call(method, path, body, headers);
        if (scope !== 'reporting') expect([path, answer.status]).toEqual([path, status]);
        else
          expect([answer.status, answer.body]).toEqual([
            403,
            expect.objectContaining({
              error: 'forbidden',
              reason: 'scope_forbidden',
              required_scope: 'data',
            }),
          ]);
      }
      const read = await keys.call('GET', '/v1/contacts', undefined, headers);
      if (scope === 'reporting')
        expect([read.status, read.body]).toEqual([
          403,
          expect.objectContaining({ reason: 'insufficient_scope', your_scopes: ['reporting'] }),
        ]);
      else expect(read.status).toBe(200);
    }
  });

  test('members by the matrix of roles; others get missing_permission', async () => {
    const roles = ['admin', 'developer', 'marketing', 'operations', 'viewer'];
    const email = (role: string): string => `${role}@roles.test`;
    const members = [...roles, 'owner'].map((role) => ({ email: email(role), role }));
    const team = await app.workspace({ members });
    for (const { role } of members) {
      const headers = {
        authorization: `Bearer ${await app.token(email(role))}`,
        'x-workspace-id': team.id,
      };
      const read = await app.request('GET', '/v1/contacts', undefined, headers);
      const write = await app.request('POST', '/v1/contacts', { external_id: role }, headers);
      const [reads, writes] = [
        ['owner', 'admin', 'developer', 'operations'].includes(role),
        ['owner', 'admin', 'developer'].includes(role),
      ];
      expect([role, read.status, write.status]).toEqual([role, reads ? 200 : 403, writes ? 201 : 403]);
      if (!reads)
        expect(read.body).toMatchObject({
          reason: 'missing_permission',
          required_permission: 'contacts:read',
        });
      if (!writes)
        expect(write.body).toMatchObject({
          reason: 'missing_permission',
          required_permission: 'contacts:write',
        });
    }
  });
});

describe('environments and workspaces (R17)', () => {
  test('a live key neither sees, changes nor counts test contacts, nor the other way', async () => {
    const mixed = await app.workspace();
    const asTest = { 'x-api-key': mixed.testKey };
    const inTest = (method: string, path: string, body?: unknown): Promise<Answer> =>
      mixed.call(method, path, body, asTest);
    const live = (await upsert({ external_id: 'same', first_name: 'Live' }, mixed)).body;
    const test = (await inTest('POST', '/v1/contacts', { external_id: 'same', first_name: 'Test' })).body;
    await inTest('POST', '/v1/contacts/bulk', {
      contacts: [{ external_id: 'only-test', email: 't@example.com' }],
    });
    expect(test.created).toBe(true);
    expect(test.id).not.toBe(live.id);

    for (const id of [test.id, 'only-test']) {
      expect((await get(id, mixed)).status).toBe(404);
      expect((await patch(id, { phone: '1' }, mixed)).status).toBe(404);
      expect((await remove(id, mixed)).status).toBe(404);
    }
    expect((await inTest('GET', at(live.id))).status).toBe(404);
    await patch('same', { last_name: 'L', $add_tags: ['live'] }, mixed);
    await remove('same', mixed);
    expect((await inTest('GET', at('same'))).body).toMatchObject({
      first_name: 'Test',
      last_name: null,
      tags: [],
      subscription_status: 'subscribed',
    });
    expect((await mixed.call('GET', '/v1/contacts')).body.meta.total).toBe(0);
    expect((await mixed.call('GET', '/v1/contacts?search=t@example')).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    expect((await inTest('GET', '/v1/contacts')).body.meta.total).toBe(2);
    expect([await storedCount(mixed), await storedCount(mixed, 'test')]).toEqual([
      { kept: 0, rows: 0 },
      { kept: 2, rows: 2 },
    ]);
  });

  test('another workspace’s contact is 404, by either name and to every verb', async () => {
    const other = await app.workspace();
    const { id } = (await upsert({ external_id: 'mine', email: 'mine@example.com' })).body;
    for (const name of [id, 'mine']) {
      for (const answer of [await get(name, other), await patch(name, {}, other), await remove(name, other)])
        expect(coded(answer)).toEqual([404, 'contact_not_found']);
      const { data } = (await other.graphql('query($id: ID!) { contact(id: $id) { id } }', { id: name }))
        .body;
      expect(data.contact).toBeNull();
    }
    expect((await get('mine')).body.subscription_status).toBe('subscribed');
    expect((await other.call('GET', '/v1/contacts?search=mine')).body.meta.total).toBe(0);
  });
});
