/** POST /v1/contacts/bulk: many contacts in one request, each handled independently. Sections 4.10, 8.1 and 8.2. */
import pg from 'pg';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
// A workspace may send ten bulk requests a minute, so each test gets a new one.
beforeEach(async () => {
  workspace = await app.workspace();
});

const bulk = (contacts: unknown, more: object = {}, of = workspace): Promise<Answer> =>
  of.call('POST', '/v1/contacts/bulk', { contacts, ...more });
const get = async (id: string, of = workspace): Promise<any> =>
  (await of.call('GET', `/v1/contacts/${id}`)).body;
const counts = ({ body }: Answer): number[] => [body.total, body.created, body.updated, body.skipped];
const add = ({ body }: Answer): boolean =>
  body.total === body.created + body.updated + body.skipped + body.errors.length;

async function storedCount(of = workspace): Promise<[number, number]> {
  const { rows } = await admin.query<{ kept: number; rows: number }>(
    `SELECT (SELECT contacts FROM contact_counts WHERE workspace_id = $1 AND environment = 'live') AS kept,
       (SELECT count(*)::int FROM contacts WHERE workspace_id = $1 AND subscription_status <> 'deleted') AS rows`,
    [of.id],
  );
  return [rows[0]?.kept ?? 0, rows[0]?.rows ?? 0];
}

const KNOWN = {
  external_id: 'k',
  email: 'k@example.com',
  phone: '1',
  properties: { a: 1, b: 2 },
  tags: ['x'],
};

test.each(['merge', 'update', undefined])('on_conflict %s merges', async (on_conflict) => {
  await bulk([KNOWN]);
  const change = { external_id: 'k', first_name: 'K', properties: { a: null, c: 3 }, $add_tags: ['y'] };
  const answer = await bulk([change, { user_id: 'fresh' }], { on_conflict });
  expect([answer.status, counts(answer), answer.body.errors]).toEqual([200, [2, 1, 1, 0], []]);
  expect(await get('k')).toMatchObject({
    email: 'k@example.com',
    phone: '1',
    first_name: 'K',
    properties: { b: 2, c: 3 },
    tags: ['x', 'y'],
  });
});

test('on_conflict replace clears what an item does not name', async () => {
  await bulk([KNOWN]);
  const { id, created_at } = await get('k');
  const answer = await bulk([{ external_id: 'k', first_name: 'K', properties: { c: 3 } }], {
    on_conflict: 'replace',
  });
  expect(counts(answer)).toEqual([1, 0, 1, 0]);
  expect(await get('k')).toMatchObject({
    id,
    created_at,
    first_name: 'K',
    email: null,
    phone: null,
    properties: { c: 3 },
    tags: [],
  });
});

test('an item that says nothing new is skipped, and its moment stays', async () => {
  await bulk([KNOWN]);
  const { updated_at } = await get('k');
  app.clock.wind(60_000);
  for (const on_conflict of ['merge', 'replace']) {
    expect(counts(await bulk([KNOWN], { on_conflict }))).toEqual([1, 0, 0, 1]);
    expect((await get('k')).updated_at).toBe(updated_at);
  }
});

test('a bad item costs nobody but itself, and is told of by index, identifier, code and detail', async () => {
  const answer = await bulk([
    { external_id: 'good' },
    { email: 'x@example.com' },
    { external_id: 'mail', email: 'nobody' },
    { user_id: 'field', colour: 1 },
    7,
    null,
    { external_id: 8 },
    { external_id: 'nul', first_name: 'a\0' },
    { external_id: 'zone', timezone: 'Mars' },
    { external_id: 'good2' },
  ]);
  expect([answer.status, counts(answer), add(answer)]).toEqual([200, [10, 2, 0, 0], true]);
  expect(
    answer.body.errors.map((error: Record<string, unknown>) => [
      error['index'],
      error['external_id'],
      error['code'],
    ]),
  ).toEqual([
    [1, null, 'validation_error'],
    [2, 'mail', 'invalid_email'],
    [3, 'field', 'invalid_field'],
    [4, null, 'validation_error'],
    [5, null, 'validation_error'],
    [6, null, 'invalid_field'],
    [7, 'nul', 'invalid_field'],
    [8, 'zone', 'invalid_field'],
  ]);
  for (const error of answer.body.errors) expect(error.detail).toEqual(expect.any(String));
  expect(await storedCount()).toEqual([2, 2]);
});

/** Items that the service always rejects, as text, because JSON.stringify cannot produce them. */
const UNSOUND = [
  '"properties":{"__proto__":{"a":1}}',
  '"properties":{"constructor":{"prototype":1}}',
  '"__proto__":{"external_id":"polluted"}',
  `"properties":${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
];

test('poisoned keys and deep nesting cost their item alone', async () => {
  const items = UNSOUND.map((fields, index) => `{"external_id":"s${index}",${fields}}`).join(',');
  const body = `{"contacts":[{"external_id":"ok1"},${items},{"external_id":"ok2"}]}`;
  const answer = await workspace.call('POST', '/v1/contacts/bulk', body);
  expect([answer.status, counts(answer), add(answer)]).toEqual([200, [6, 2, 0, 0], true]);
  const poison = 'The contact contains a key that is not allowed: __proto__ or constructor.prototype.';
  expect(answer.body.errors).toEqual([
    { index: 1, external_id: 's0', code: 'validation_error', detail: poison },
    { index: 2, external_id: 's1', code: 'validation_error', detail: poison },
    { index: 3, external_id: 's2', code: 'validation_error', detail: poison },
    {
      index: 4,
      external_id: 's3',
      code: 'validation_error',
      detail: 'The contact is nested deeper than 64 levels.',
    },
  ]);
  expect(await storedCount()).toEqual([2, 2]);
  expect(({} as Record<string, unknown>)['external_id']).toBeUndefined();
});

test.each([
  '{"contacts":[{"external_id":"a"}],"__proto__":{"a":1}}',
  '{"contacts":[{"external_id":"a"}],"constructor":{"prototype":1}}',
  '{"contacts":{"__proto__":1}}',
  '{"contacts":[{"external_id":"a"}],"on_conflict":{"__proto__":1}}',
  `{"contacts":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`,
  '[{"__proto__":1}]',
  '{"contacts":[{"external_id":"a"}]',
])('what stands around the items is refused as a whole: %s', async (body) => {
  const answer = await workspace.call('POST', '/v1/contacts/bulk', body);
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
  expect(await storedCount()).toEqual([0, 0]);
});

test('items of one contact join in their order, and the contact is counted once', async () => {
  const answer = await bulk([
    { external_id: 'd', first_name: 'A', properties: { a: 1 }, tags: ['x'] },
    { external_id: 'other' },
    { external_id: 'd', first_name: 'B', properties: { b: 2 }, $add_tags: ['y'] },
    { external_id: 'd', email: 'nobody' },
    { user_id: 'd', properties: { a: null } },
  ]);
  expect([counts(answer), add(answer)]).toEqual([[5, 2, 0, 2], true]);
  expect(await get('d')).toMatchObject({ first_name: 'B', properties: { b: 2 }, tags: ['x', 'y'] });
  expect(await storedCount()).toEqual([2, 2]);
});

test('an item that would outgrow its contact is an error, and the items around it join', async () => {
  const part = 'x'.repeat(60_000);
  const answer = await bulk([
    ...['a', 'b', 'c', 'd'].map((name) => ({ external_id: 'grown', properties: { [name]: part } })),
    { external_id: 'grown', phone: '1', properties: { e: part } },
    { external_id: 'grown', first_name: 'After' },
  ]);
  expect([counts(answer), add(answer)]).toEqual([[6, 1, 0, 4], true]);
  expect(answer.body.errors).toEqual([
    { index: 4, external_id: 'grown', code: 'invalid_field', detail: expect.stringMatching(/^properties: /) },
  ]);
  expect(await get('grown')).toMatchObject({ first_name: 'After', phone: null });
});

test.each<[string, unknown, number, string]>([
  ['no contacts', undefined, 400, 'validation_error'],
  ['no list', {}, 422, 'invalid_field'],
  ['0 contacts', [], 422, 'invalid_field'],
  [
    '1,001 contacts',
    Array.from({ length: 1_001 }, (_, i) => ({ external_id: `${i}` })),
    422,
    'invalid_field',
  ],
])('refuses %s', async (_, contacts, status, code) => {
  const answer = await bulk(contacts);
  expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([status, code, 'contacts']);
});

test.each([
  [{ on_conflict: 'skip' }, 'on_conflict'],
  [{ dry_run: true }, 'dry_run'],
])('refuses %j with 422', async (more, field) => {
  const answer = await bulk([{ external_id: 'a' }], more);
  expect([answer.status, answer.body.errors[0].field]).toEqual([422, field]);
  expect(await get('a')).toMatchObject({ code: 'contact_not_found' });
});

test('a thousand items, half of them known', async () => {
  const items = (from: number, count: number, plan: string): object[] =>
    Array.from({ length: count }, (_, i) => ({ external_id: `m${from + i}`, properties: { plan } }));
  expect(counts(await bulk(items(0, 500, 'free')))).toEqual([500, 500, 0, 0]);
  expect(counts(await bulk(items(0, 1_000, 'pro')))).toEqual([1_000, 500, 500, 0]);
  expect(counts(await bulk(items(0, 1_000, 'pro')))).toEqual([1_000, 0, 0, 1_000]);
  expect(await storedCount()).toEqual([1_000, 1_000]);
});

test('the same thousand from five clients at once are made once', async () => {
  const items = Array.from({ length: 1_000 }, (_, i) => ({ external_id: `p${i}`, $add_tags: [`t${i % 7}`] }));
  // Each request has another order, so that their locks conflict.
  const orders = [
    items,
    [...items].reverse(),
    ...[300, 500, 700].map((n) => [...items.slice(n), ...items.slice(0, n)]),
  ];
  const answers = await Promise.all(orders.map((contacts) => bulk(contacts)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(1_000);
  for (const answer of answers) expect([add(answer), answer.body.errors]).toEqual([true, []]);
  expect(await storedCount()).toEqual([1_000, 1_000]);
});

test("beyond the plan's limit items are errors, known contacts are updated", async () => {
  const free = await app.workspace({ plan: 'free' });
  await bulk(
    Array.from({ length: 998 }, (_, i) => ({ external_id: `f${i}` })),
    {},
    free,
  );
  const answer = await bulk(
    [
      { external_id: 'n1' },
      { external_id: 'f1', phone: '1' },
      { external_id: 'n2' },
      { external_id: 'n3' },
      { external_id: 'n1', phone: '1' },
      { external_id: 'n3', phone: '1' },
    ],
    {},
    free,
  );
  expect([counts(answer), add(answer)]).toEqual([[6, 2, 1, 1], true]);
  expect(
    answer.body.errors.map((error: Record<string, unknown>) => [
      error['index'],
      error['external_id'],
      error['code'],
    ]),
  ).toEqual([
    [3, 'n3', 'plan_limit_reached'],
    [5, 'n3', 'plan_limit_reached'],
  ]);
  expect(await storedCount(free)).toEqual([1_000, 1_000]);
});

test('bulks at once share the limit exactly', async () => {
  const free = await app.workspace({ plan: 'free' });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      bulk(
        Array.from({ length: 300 }, (__, i) => ({ external_id: `b${n}-${i}` })),
        {},
        free,
      ),
    ),
  );
  expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(1_000);
  for (const answer of answers) expect(add(answer)).toBe(true);
  expect(await storedCount(free)).toEqual([1_000, 1_000]);
});

test('brings deleted contacts back, and counts them again', async () => {
  await bulk([KNOWN, { external_id: 'o' }]);
  await workspace.call('DELETE', '/v1/contacts/k');
  expect(await storedCount()).toEqual([1, 1]);
  expect(counts(await bulk([{ external_id: 'k' }]))).toEqual([1, 0, 1, 0]);
  expect(await get('k')).toMatchObject({ subscription_status: 'subscribed', email: 'k@example.com' });
  expect(await storedCount()).toEqual([2, 2]);
});

test('an item that subscribes an address which an earlier item opts out is an error', async () => {
  await bulk([{ external_id: 'known', email: 'known@example.com' }]);
  const answer = await bulk([
    { external_id: 'z1', email: 'z@example.com', subscription_status: 'unsubscribed' },
    { external_id: 'z2', email: 'Z@example.com', subscription_status: 'subscribed' },
    { external_id: 'known', subscription_status: 'unsubscribed' },
    { external_id: 'z3', email: 'known@example.com', subscription_status: 'subscribed' },
    { external_id: 'z4', email: 'other@example.com', subscription_status: 'subscribed' },
  ]);
  expect(answer.body.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
    [
      [1, 'invalid_field'],
      [3, 'invalid_field'],
    ],
  );
});

test('ten a minute and no more, whatever the plan', async () => {
  const answers = [];
  for (let i = 0; i < 11; i++) answers.push(await bulk([{ external_id: `r${i}` }]));
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
  expect(Number(answers[10]?.headers.get('retry-after'))).toBeGreaterThan(0);
});
