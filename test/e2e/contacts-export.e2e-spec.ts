/**
 * POST /v1/contacts/export: complete files, exactly the stored values, and clients that stall or disconnect. Sections
 * 2.11, 4.10.
 */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { ContactBulkService } from '../../src/modules/contacts/application/contact-bulk.service.js';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { runs } from '../support/test-scope.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const COLUMNS = [
  'id',
  'external_id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'product_type',
  'subscription_status',
  'timezone',
  'locale',
  'tags',
  'properties',
  'created_at',
  'updated_at',
];
type Record_ = Readonly<Record<string, any>>;

const exported = (body: unknown, of = workspace): Promise<Answer> =>
  of.call('POST', '/v1/contacts/export', body);
const upsert = (body: object, of = workspace): Promise<Answer> => of.call('POST', '/v1/contacts', body);
/** Calls the service directly, because HTTP allows only ten bulk requests a minute. */
const store = (contacts: readonly object[], of = workspace): Promise<unknown> =>
  app.app
    .get(ContactBulkService)
    .upsert({ workspaceId: of.id, environment: 'live' }, 'enterprise', { contacts, onConflict: 'merge' });
const parsed = (csv: string): Record_[] => parse(csv, { columns: true });

/** The documented guard against formulas, and no other change. */
const guarded = (value: string | null): string =>
  value === null ? '' : /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
/** The CSV form of a record. */
const asCells = (record: Record_): Record_ =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (name === 'tags' || name === 'properties') return [name, value];
      return [name, name === 'id' || name.endsWith('_at') ? value : guarded(value)];
    }),
  );
const fromCells = (row: Record_): Record_ => ({
  ...row,
  tags: JSON.parse(row['tags']),
  properties: JSON.parse(row['properties']),
});

test('a CSV has a header and a row for each contact; the answer is an attachment', async () => {
  const one = await app.workspace();
  const { body } = await upsert(
    {
      external_id: 'u1',
      email: 'u1@example.com',
      phone: '+44 1',
      properties: { a: '=1' },
      tags: ['x', '=y'],
    },
    one,
  );
  const answer = await exported({ format: 'csv' }, one);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
  expect(answer.body).toBe(
    `${COLUMNS.join(',')}\n` +
      `${body.id},u1,u1@example.com,'+44 1,,,,subscribed,,,"[""x"", ""=y""]","{""a"": ""=1""}",${body.created_at},${body.updated_at}\n`,
  );
});

test('a JSON export is the list of what GET answers', async () => {
  const one = await app.workspace();
  for (const id of ['a', 'b', 'c'])
    await upsert(
      { external_id: id, first_name: '=1"\n\\', properties: { deep: { n: [1, null, 'ü'] } } },
      one,
    );
  const answer = await exported({ format: 'json' }, one);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="contacts.json"');
  const listed = await one.call('GET', '/v1/contacts?sort_order=asc');
  expect(answer.body).toEqual(listed.body.data);
});

test('of nobody is a header, or an empty list', async () => {
  const empty = await app.workspace();
  await upsert({ external_id: 'gone' }, empty);
  await empty.call('DELETE', '/v1/contacts/gone');
  expect((await exported({ format: 'csv' }, empty)).body).toBe(`${COLUMNS.join(',')}\n`);
  expect((await exported({ format: 'json' }, empty)).body).toEqual([]);
});

test('whatever texts are stored, both formats give them back, in CSV with the guard alone', async () => {
  const character = fc.oneof(
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ';', '\\', '.', ' ', 'N'),
    fc.constantFrom('ü', '字', '\u{1F600}', '\u2028', '\u0001', '\u0002', '\u007f', '\ufeff', '0'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0'),
  );
  const awkward = fc.oneof(
    fc.constantFrom('\\.', '', ' ', '""', '\r\n', "=cmd|' /C calc'!A0", 'NULL', '\\N', '\ufeff'),
    fc.string({ unit: character, maxLength: 12 }),
  );
  const contact = fc.record(
    { first_name: awkward, last_name: awkward, phone: awkward, product_type: fc.option(awkward) },
    { requiredKeys: [] },
  );
  const rest = fc.record({
    tags: fc.uniqueArray(
      awkward.filter((tag) => tag !== ''),
      { maxLength: 3 },
    ),
    properties: fc.dictionary(awkward, fc.oneof(awkward, fc.integer(), fc.array(awkward, { maxLength: 2 })), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  });
  const contacts = fc.uniqueArray(
    fc
      .tuple(
        awkward.filter((id) => id !== ''),
        contact,
        rest,
      )
      .map(([external_id, fields, more]): Record_ => ({ external_id, ...fields, ...more })),
    { selector: (one) => one['external_id'], minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(contacts, async (wanted) => {
      await admin.query('DELETE FROM contacts WHERE workspace_id = $1', [workspace.id]);
      await store(wanted);
      const json: Record_[] = (await exported({ format: 'json' })).body;
      const byId = new Map(json.map((record) => [record['external_id'], record]));
      expect(byId.size).toBe(wanted.length);
      for (const one of wanted) expect(byId.get(one['external_id'])).toMatchObject(one);
      const csv = await exported({ format: 'csv' });
      expect(parsed(csv.body).map(fromCells)).toEqual(json.map(asCells));
    }),
    { numRuns: runs(40) },
  );
});

test('a segment’s export has its members alone; an unknown segment is 404', async () => {
  const one = await app.workspace();
  await store(
    [
      { external_id: 'pro', properties: { plan: 'pro' } },
      { external_id: 'free' },
      { external_id: 'gone', properties: { plan: 'pro' } },
    ],
    one,
  );
  await one.call('DELETE', '/v1/contacts/gone');
  const other = await app.workspace();
  const made = await admin.query<{ id: string }>(
    `INSERT INTO segments (workspace_id, id, name, match, conditions, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), 'Pro', 'all', $2, now(), now()) RETURNING id`,
    [one.id, JSON.stringify([{ field: 'properties.plan', operator: 'equals', value: 'pro' }])],
  );
  const segment_id = made.rows[0]?.id;
  const csv = await exported({ format: 'csv', segment_id }, one);
  expect(parsed(csv.body).map((row) => row['external_id'])).toEqual(['pro']);
  expect((await exported({ format: 'json', segment_id }, one)).body).toMatchObject([{ external_id: 'pro' }]);
  const unknown = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0';
  for (const answer of [
    await exported({ format: 'csv', segment_id: unknown }, one),
    await exported({ format: 'csv', segment_id: 'Pro' }, one),
    await exported({ format: 'csv', segment_id }, other),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([404, 'segment_not_found']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBeNull();
  }
});

test.each<[unknown, number, string, string]>([
  [{}, 400, 'validation_error', 'format'],
  [{ segment_id: 'x' }, 400, 'validation_error', 'format'],
  [{ format: 'xml' }, 422, 'invalid_field', 'format'],
  [{ format: null }, 422, 'invalid_field', 'format'],
  [{ format: ['csv'] }, 422, 'invalid_field', 'format'],
  [{ format: 'csv', segment_id: 7 }, 422, 'invalid_field', 'segment_id'],
  [{ format: 'csv', segment_id: null }, 422, 'invalid_field', 'segment_id'],
  [{ format: 'csv', fields: [] }, 422, 'invalid_field', 'fields'],
])('refuses %j', async (body, status, code, field) => {
  const answer = await exported(body);
  expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([status, code, field]);
});

test('an export is of one environment (R17), and needs a key that reads contacts', async () => {
  const one = await app.workspace();
  await upsert({ external_id: 'live' }, one);
  const asTest = { 'x-api-key': one.testKey };
  await one.call('POST', '/v1/contacts', { external_id: 'test' }, asTest);
  const ids = ({ body }: Answer): unknown[] => body.map((record: Record_) => record['external_id']);
  expect(ids(await exported({ format: 'json' }, one))).toEqual(['live']);
  expect(ids(await one.call('POST', '/v1/contacts/export', { format: 'json' }, asTest))).toEqual(['test']);
  const made = await one.graphql(
    'mutation { createApiKey(input: { name: "r", scope: reporting, environment: live }) { key } }',
  );
  const reporting = { 'x-api-key': made.body.data.createApiKey.key };
  const refused = await one.call('POST', '/v1/contacts/export', { format: 'csv' }, reporting);
  expect([refused.status, refused.body.reason]).toEqual([403, 'insufficient_scope']);
});

describe('clients that do not read', () => {
  let large: TestWorkspace;

  beforeAll(async () => {
    large = await app.workspace();
    // Far more than the buffers of a connection can hold.
    await admin.query(
      `INSERT INTO contacts (workspace_id, id, environment, external_id, properties, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'live', 'c' || n, jsonb_build_object('text', repeat('x', 3000)), now(), now()
       FROM generate_series(1, 20000) AS n`,
      [large.id],
    );
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Requests an export and leaves the response unread. */
  function ask(format: 'csv' | 'json'): { answer: Promise<IncomingMessage>; leave: () => void } {
    const call = request(`${app.url}/v1/contacts/export`, {
      method: 'POST',
      agent: false,
      headers: { 'x-workspace-id': large.id, 'x-api-key': large.key, 'content-type': 'application/json' },
    });
    const answer = once(call, 'response').then(([response]) => response as IncomingMessage);
    call.on('error', () => undefined);
    answer.catch(() => undefined);
    call.end(JSON.stringify({ format }));
    return { answer, leave: () => void call.destroy() };
  }
  /** Number of running export queries. */
  async function running(): Promise<number> {
    const { rows } = await admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND usename = 'waypost_reader' AND state = 'active'`,
    );
    return rows[0]?.n ?? 0;
  }
  const quiet = (): Promise<void> => until('no survey runs', async () => (await running()) === 0);

  test.each(['csv', 'json'] as const)(
    'that go away in the middle of a %s give the database back',
    async (format) => {
      const { answer, leave } = ask(format);
      expect((await answer).statusCode).toBe(200);
      expect(await running()).toBe(1);
      leave();
      await quiet();
    },
  );

  test.each(['csv', 'json'] as const)('and stay are cut after a minute of a %s', async (format) => {
    jest.useFakeTimers({
      advanceTimers: true,
      doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'],
    });
    const response = await ask(format).answer;
    expect(await running()).toBe(1);
    const cut = new Promise((resolve) => response.once('close', resolve));
    response.on('error', () => undefined);
    await until('the stalled client is cut', async () => {
      jest.advanceTimersByTime(30_000);
      return (await running()) === 0;
    });
    response.resume();
    await cut;
    // A client that reads to the end learns that the file is incomplete.
    expect(response.complete).toBe(false);
  });

  test('hold two streams of their workspace and none of another; segments are evaluated meanwhile', async () => {
    const stalled = [ask('csv'), ask('json')];
    for (const { answer } of stalled) expect((await answer).statusCode).toBe(200);
    const third = await large.call('POST', '/v1/contacts/export', { format: 'csv' });
    expect([third.status, third.body.code, third.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '10',
    ]);
    const other = await app.workspace();
    expect((await exported({ format: 'json' }, other)).body).toEqual([]);
    const segment = await admin.query<{ id: string }>(
      `INSERT INTO segments (workspace_id, id, name, match, conditions, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), 'All', 'all', '[]', now(), now()) RETURNING id`,
      [large.id],
    );
    const evaluated = await large.call('POST', `/v1/segments/${segment.rows[0]?.id}/evaluate`);
    expect([evaluated.status, evaluated.body.count]).toEqual([200, 20_000]);
    expect(await running()).toBe(2);

    for (const { leave } of stalled) leave();
    await quiet();
    const whole = await text(await ask('csv').answer);
    expect(parsed(whole)).toHaveLength(20_000);
  });
});
