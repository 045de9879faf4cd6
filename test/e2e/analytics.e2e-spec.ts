/** GET /v1/analytics/export over HTTP, with messages that were really sent: sections 4.10, 5, 8.1 and gate R17. */
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { ROLES } from '../../src/kernel/principal.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { rowOf } from '../support/rows.js';
import { until } from '../support/until.js';

const HEADER =
  'date,source_type,source_id,source_name,sent,delivered,opened,clicked,bounced,complained,suppressed';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const today = (): string => app.clock.now().toISOString().slice(0, 10);

function rowsOf(answer: Answer): Record<string, string>[] {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(answer.body as string, { columns: true });
}

/** A row as in the file; columns that are not given are zero. */
function row(date: string, source: [type: string, id: string, name: string], sent: number, suppressed = 0) {
  const [source_type, source_id, source_name] = source;
  const nought = { delivered: '0', opened: '0', clicked: '0', bounced: '0', complained: '0' };
  return {
    date,
    source_type,
    source_id,
    source_name,
    sent: `${sent}`,
    ...nought,
    suppressed: `${suppressed}`,
  };
}

async function flow(workspace: TestWorkspace, name: string, event: string): Promise<string> {
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  await workspace.call('POST', '/v1/templates', template);
  const { body } = await workspace.call('POST', '/v1/flows', {
    name,
    trigger_event: event,
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: 'hello' }],
    settings: { reentry_policy: 'always' },
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id as string;
}

/** Posts an event and waits until the outcome of its message is known. */
async function happened(workspace: TestWorkspace, name: string, external: string, more: object = {}) {
  const settled = async (): Promise<number> => {
    const { rows } = await admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM email_logs WHERE workspace_id = $1 AND status IN ('sent', 'suppressed')`,
      [workspace.id],
    );
    return rows[0]?.n ?? 0;
  };
  const before = await settled();
  const contact = { email: `${external}@example.com`, ...more };
  const headers = 'key' in more ? { 'x-api-key': workspace.testKey } : {};
  const { key: _, ...fields } = contact as Record<string, unknown>;
  const event = { external_id: external, event_name: name, contact: fields };
  expect((await workspace.call('POST', '/v1/events', event, headers)).status).toBe(202);
  await until('its message is settled', async () => (await settled()) === before + 1);
}

/** Inserts a message into the ledger as if it had been sent, or held back, at another time. */
async function logged(workspace: TestWorkspace, given: object): Promise<void> {
  const values = await rowOf(admin, 'email_logs', {
    workspace_id: workspace.id,
    status: 'sent',
    environment: 'live',
    origin: 'direct',
    origin_id: randomUUID(),
    ...given,
  });
  const all = Object.entries({ ...values, ...given });
  await admin.query(
    `INSERT INTO email_logs (${all.map(([name]) => name).join(', ')}) VALUES (${all.map((_, i) => `$${i + 1}`).join(', ')})`,
    all.map(([, value]) => value),
  );
}

const serial = (n: number): string => `0190a5d2-7c3e-7b61-9a3e-4f5f0c0f${n.toString(16).padStart(4, '0')}`;

describe('the file', () => {
  test('has a row for each day and flow, with what was sent and what was held back', async () => {
    const workspace = await app.workspace();
    const plain = await flow(workspace, 'Onboarding', 'signed_up');
    const odd = await flow(workspace, '=HYPERLINK("http://x"), "Sale"\nnow', 'paid');
    const first = today();
    await happened(workspace, 'signed_up', 'ada');
    await happened(workspace, 'signed_up', 'bob');
    await happened(workspace, 'signed_up', 'nobody', { email: null });
    await happened(workspace, 'paid', 'ada');
    app.clock.wind(DAY);
    await happened(workspace, 'signed_up', 'ada');
    const answer = await workspace.call('GET', '/v1/analytics/export');
    expect((answer.body as string).split('\n')[0]).toBe(HEADER);
    const guarded = `'=HYPERLINK("http://x"), "Sale"\nnow`;
    expect(rowsOf(answer)).toEqual([
      row(first, ['flow', odd, guarded], 1),
      row(first, ['flow', plain, 'Onboarding'], 2, 1),
      row(today(), ['flow', plain, 'Onboarding'], 1),
    ]);
    const from = new Date(app.clock.now().getTime() - 30 * DAY).toISOString().slice(0, 10);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="analytics-${from}-to-${today()}.csv"`,
    );
    const yesterday = await workspace.call('GET', '/v1/analytics/export?date_range=yesterday');
    expect(rowsOf(yesterday).map(({ date }) => date)).toEqual([first, first]);
    const ofToday = await workspace.call('GET', '/v1/analytics/export?date_range=today');
    expect(rowsOf(ofToday)).toEqual([row(today(), ['flow', plain, 'Onboarding'], 1)]);
  });

  test('is a header where nothing was sent', async () => {
    const workspace = await app.workspace();
    expect((await workspace.call('GET', '/v1/analytics/export')).body).toBe(`${HEADER}\n`);
  });

  test('names campaigns beside flows', async () => {
    const workspace = await app.workspace();
    const created = await app.request(
      'POST',
      '/v1/campaigns',
      { name: '=Spring sale' },
      { authorization: `Bearer ${workspace.ownerToken}`, 'x-workspace-id': workspace.id },
    );
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    const sent_at = app.clock.now();
    await logged(workspace, { id: serial(16), origin: 'campaign', source_id: id, sent_at });
    await logged(workspace, { id: serial(17), sent_at });
    expect(rowsOf(await workspace.call('GET', '/v1/analytics/export'))).toEqual([
      row(today(), ['campaign', id, "'=Spring sale"], 1),
      row(today(), ['direct', '', ''], 1),
    ]);
  });

  test('puts messages of no flow under direct, and those that failed or wait nowhere', async () => {
    const workspace = await app.workspace();
    const sent_at = app.clock.now();
    await logged(workspace, { id: serial(1), sent_at });
    for (const [n, status] of ['queued', 'sending', 'failed', 'unknown', 'cancelled'].entries())
      await logged(workspace, { id: serial(2 + n), status, updated_at: sent_at });
    expect(rowsOf(await workspace.call('GET', '/v1/analytics/export'))).toEqual([
      row(today(), ['direct', '', ''], 1),
    ]);
  });

  test('counts by the UTC day of the send, to the millisecond, and of the decision to suppress', async () => {
    const workspace = await app.workspace();
    const moments = [
      '2024-02-28T23:59:59.999Z',
      '2024-02-29T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
    ];
    for (const [n, moment] of moments.entries()) {
      // Queued long before it was sent.
      await logged(workspace, { id: serial(32 + n), created_at: '2024-01-01T00:00:00Z', sent_at: moment });
      await logged(workspace, { id: serial(48 + n), status: 'suppressed', updated_at: moment });
    }
    // An id contains the time of its record: July 2024 for records of this suite, November 2023 for these.
    await admin.query(
      `UPDATE email_logs SET id = ('018c0000' || substr(id::text, 9))::uuid WHERE workspace_id = $1`,
      [workspace.id],
    );
    const direct: [string, string, string] = ['direct', '', ''];
    const leapDay = await workspace.call(
      'GET',
      '/v1/analytics/export?from_date=2024-02-29&to_date=2024-02-29&date_range=1d',
    );
    expect(rowsOf(leapDay)).toEqual([row('2024-02-29', direct, 2, 2)]);
    const shifted = await workspace.call(
      'GET',
      '/v1/analytics/export?from_date=2024-02-29T02:00:00%2B02:00&to_date=2024-03-01T00:00:00Z',
    );
    expect(rowsOf(shifted)).toEqual([row('2024-02-29', direct, 2, 2), row('2024-03-01', direct, 1, 1)]);
    const before = await workspace.call('GET', '/v1/analytics/export?to_date=2024-02-29&date_range=1d');
    expect(rowsOf(before)).toEqual([row('2024-02-29', direct, 2, 2)]);
    const since = await workspace.call('GET', '/v1/analytics/export?from_date=2024-03-01');
    expect(rowsOf(since)).toEqual([row('2024-03-01', direct, 1, 1)]);
  });

  test('is of the environment of the caller alone', async () => {
    const workspace = await app.workspace();
    const id = await flow(workspace, 'Onboarding', 'signed_up');
    await happened(workspace, 'signed_up', 'ada');
    await happened(workspace, 'signed_up', 'ada', { key: 'test' });
    await happened(workspace, 'signed_up', 'bob', { key: 'test' });
    const live = row(today(), ['flow', id, 'Onboarding'], 1);
    const test = row(today(), ['flow', id, 'Onboarding'], 2);
    const get = (headers: Record<string, string>) =>
      app.request('GET', '/v1/analytics/export', undefined, { 'x-workspace-id': workspace.id, ...headers });
    const token = { authorization: `Bearer ${workspace.ownerToken}` };
    expect(rowsOf(await get({ 'x-api-key': workspace.key }))).toEqual([live]);
    expect(rowsOf(await get({ 'x-api-key': workspace.testKey }))).toEqual([test]);
    expect(rowsOf(await get(token))).toEqual([live]);
    expect(rowsOf(await get({ ...token, 'x-environment': 'test' }))).toEqual([test]);
    expect((await (await app.workspace()).call('GET', '/v1/analytics/export')).body).toBe(`${HEADER}\n`);
  });
});

test.each([
  ['from_date=last-week', 'from_date'],
  ['to_date=2026-02-30', 'to_date'],
  ['from_date=2026-03-01T00:00:00+02:00', '%2B'],
  ['from_date=2026-03-02&to_date=2026-03-01', 'must not end before it starts'],
  ['from_date=2026-03-01&from_date=2026-03-02', 'from_date'],
])('?%s is refused with 422 and a nested detail', async (query, words) => {
  const workspace = await app.workspace();
  const { status, body } = await workspace.call('GET', `/v1/analytics/export?${query}`);
  expect([status, body]).toEqual([
    422,
    {
      detail: { code: 'invalid_date_param', message: expect.stringContaining(words) },
      request_id: expect.any(String),
    },
  ]);
});

test('a preset that is not known counts as 30d; a parameter that is not known is refused', async () => {
  const workspace = await app.workspace();
  await logged(workspace, { id: serial(256), sent_at: new Date(app.clock.now().getTime() - 29 * DAY) });
  await logged(workspace, { id: serial(257), sent_at: new Date(app.clock.now().getTime() - 31 * DAY) });
  const answer = await workspace.call('GET', '/v1/analytics/export?date_range=fortnight');
  expect(rowsOf(answer)).toHaveLength(1);
  const odd = await workspace.call('GET', '/v1/analytics/export?format=xml');
  expect([odd.status, odd.body.code]).toEqual([422, 'invalid_field']);
});

describe('who may export', () => {
  test.each(ROLES)('the role %s, by the permission analytics:read', async (role) => {
    const email = `${role}-${Math.trunc(app.clock.now().getTime())}@analytics.test`;
    const others = role === 'owner' ? [] : [{ email, role }];
    const workspace = await app.workspace({
      members: [{ email: role === 'owner' ? email : `boss-${email}`, role: 'owner' }, ...others],
    });
    const { status, body } = await app.request('GET', '/v1/analytics/export', undefined, {
      authorization: `Bearer ${await app.token(email)}`,
      'x-workspace-id': workspace.id,
    });
    if (role === 'developer') {
      expect([status, body]).toEqual([
        403,
        expect.objectContaining({ reason: 'missing_permission', required_permission: 'analytics:read' }),
      ]);
    } else expect(status).toBe(200);
  });

  test('keys of the scopes reporting and full', async () => {
    const workspace = await app.workspace();
    const statuses: Record<string, unknown> = {};
    for (const scope of ['data', 'management', 'reporting']) {
      const made = await workspace.graphql(
        'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }',
        { input: { name: scope, scope, environment: 'live' } },
      );
      const key = { 'x-api-key': made.body.data.createApiKey.key as string };
      const { status, body } = await workspace.call('GET', '/v1/analytics/export', undefined, key);
      statuses[scope] = status === 200 ? 200 : [status, body.reason, body.required_scopes];
    }
    const refused = [403, 'insufficient_scope', ['reporting', 'full']];
    expect(statuses).toEqual({ data: refused, management: refused, reporting: 200 });
    expect((await app.request('GET', '/v1/analytics/export')).body.code).toBe('missing_token');
  });
});

test('five times an hour, whoever of the workspace asks', async () => {
  const workspace = await app.workspace();
  const token = { authorization: `Bearer ${workspace.ownerToken}`, 'x-workspace-id': workspace.id };
  const answers: Answer[] = [];
  for (let i = 0; i < 6; i++)
    answers.push(
      i % 2
        ? await app.request('GET', '/v1/analytics/export', undefined, token)
        : await workspace.call(
            'GET',
            '/v1/analytics/export',
            undefined,
            i ? { 'x-api-key': workspace.testKey } : {},
          ),
    );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
    '4',
    '3',
    '2',
    '1',
    '0',
    '0',
  ]);
  const refused = answers[5];
  expect([refused?.headers.get('x-ratelimit-limit'), refused?.body.code]).toEqual([
    '5',
    'rate_limit_exceeded',
  ]);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(60);
  expect((await workspace.call('GET', '/v1/templates')).status).toBe(200);
});
