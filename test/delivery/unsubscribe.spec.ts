/**
 * Unsubscribing over HTTP, sections 4.8 and 4.10: takes effect before the next send, and link scanners do not
 * trigger it.
 */
import pg from 'pg';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  workspace = await app.workspace();
});

afterAll(() => app.close());

async function contactWithLink(): Promise<{
  readonly externalId: string;
  readonly path: string;
  readonly token: string;
}> {
  const externalId = `u${Math.random().toString(36).slice(2)}`;
  const { body } = await workspace.call('POST', '/v1/contacts', {
    external_id: externalId,
    email: `${externalId}@example.com`,
  });
  const scope = { workspaceId: workspace.id, environment: 'live' as const };
  const url = new URL(app.app.get(UnsubscribeLinks, { strict: false }).urlFor(scope, body.id, body.email));
  return { externalId, path: url.pathname + url.search, token: url.searchParams.get('token') ?? '' };
}

async function statusOf(externalId: string): Promise<string> {
  const { body } = await workspace.graphql(`query($id: ID!) { contact(id: $id) { subscriptionStatus } }`, {
    id: externalId,
  });
  return body.data.contact.subscriptionStatus;
}

test('GET asks and changes nothing, however often a scanner opens it', async () => {
  const { path, externalId } = await contactWithLink();
  for (let n = 0; n < 5; n++) {
    const { status, body, headers } = await app.request('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-/);
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(body).toContain('Acme Inc');
    expect(body).toContain('<form method="post"');
  }
  expect(await statusOf(externalId)).toBe('subscribed');
});

test.each([
  ['one click', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'one click as a multipart form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
  ["the page's own button", 'application/x-www-form-urlencoded', ''],
  ['one click as plain text', 'text/plain', 'List-Unsubscribe=One-Click'],
  ['one click as JSON', 'application/json', '{"List-Unsubscribe":"One-Click"}'],
  ['JSON that is none', 'application/json; charset=utf-8', 'List-Unsubscribe=One-Click'],
  ['JSON that poisons prototypes', 'application/json', '{"__proto__":{"a":1}}'],
  ['JSON of 6 MB', 'application/json', JSON.stringify({ text: 'x'.repeat(6_000_000) })],
  ['a form of 200 KB', 'application/x-www-form-urlencoded', `a=${'x'.repeat(200_000)}`],
  ['a form of no action of ours', 'application/x-www-form-urlencoded', 'action=snooze'],
  ['a type that is none', ';', 'List-Unsubscribe=One-Click'],
  ['a form with parts that is cut off', 'multipart/form-data', '--b\r\nContent-Dispo'],
])('POST unsubscribes and may be repeated: %s', async (_name, type, body) => {
  const { path, externalId } = await contactWithLink();
  for (let n = 0; n < 3; n++) {
    const answer = await app.request('POST', path, body, { 'content-type': type });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('You are unsubscribed');
  }
  expect(await statusOf(externalId)).toBe('unsubscribed');
  expect((await app.request('GET', path)).body).toContain('You are unsubscribed');
});

test('a hundred posts at once unsubscribe once', async () => {
  const { path, externalId } = await contactWithLink();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      app.request('POST', path, 'List-Unsubscribe=One-Click', {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await statusOf(externalId)).toBe('unsubscribed');
  const { body } = await workspace.graphql(
    'query ($id: ID!) { preferenceChanges(id: $id) { edges { node { kind way } } } }',
    { id: externalId },
  );
  expect(body.data.preferenceChanges.edges).toHaveLength(1);
});

test('sixty posts of one link use one connection, and others are answered meanwhile', async () => {
  const { path, externalId } = await contactWithLink();
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  await admin.query('BEGIN');
  await admin.query('SELECT FROM contacts WHERE external_id = $1 FOR UPDATE', [externalId]);
  const posts = Array.from({ length: 60 }, () => app.request('POST', path));
  const waiting = async (): Promise<number> => {
    const { rows } = await admin.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting ?? 0;
  };
  await until('the first waits for the contact', async () => (await waiting()) > 0);
  expect((await workspace.call('GET', '/v1/contacts')).status).toBe(200);
  expect(await waiting()).toBe(1);
  await admin.query('COMMIT');
  await admin.end();
  expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(await statusOf(externalId)).toBe('unsubscribed');
});

test('POST unsubscribes with a body of no type that is named', async () => {
  const { path, externalId } = await contactWithLink();
  const body = new TextEncoder().encode('List-Unsubscribe=One-Click');
  expect((await fetch(app.url + path, { method: 'POST', body })).status).toBe(200);
  expect(await statusOf(externalId)).toBe('unsubscribed');
});

test('the page leads to itself, also where a proxy has it beneath a path of its own', async () => {
  const { path } = await contactWithLink();
  const { body } = await app.request('GET', path);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(body) ?? [];
  for (const base of ['https://w.test', 'https://w.test/mail'])
    expect(new URL(action.replaceAll('&#x3D;', '='), base + path).href).toBe(base + path);
});

test('a deleted contact stays deleted', async () => {
  const { path, externalId } = await contactWithLink();
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  await admin.query(`UPDATE contacts SET subscription_status = 'deleted' WHERE external_id = $1`, [
    externalId,
  ]);
  expect((await app.request('POST', path)).status).toBe(200);
  const { rows } = await admin.query('SELECT subscription_status FROM contacts WHERE external_id = $1', [
    externalId,
  ]);
  await admin.end();
  expect(rows).toEqual([{ subscription_status: 'deleted' }]);
});

test('a token that was tampered with, or none, is refused', async () => {
  const { token, externalId } = await contactWithLink();
  const tampered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  const bytes = Buffer.from(token, 'base64url');
  // Flips one bit in every eighth byte, a different bit each time.
  const changed = Array.from({ length: Math.ceil(bytes.length / 8) }, (_, n) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(n * 8) ^ (1 << (n % 8)), n * 8);
    return `?token=${copy.toString('base64url')}`;
  });
  for (const query of [...changed, `?token=${tampered}`, '?token=', '?token=a&token=b', '']) {
    const path = `/v1/public/unsubscribe${query}`;
    for (const method of ['GET', 'POST']) {
      const { status } = await app.request(method, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  }
  expect(await statusOf(externalId)).toBe('subscribed');
});
