/** Anonymous clients behind one address, such as a proxy: the requests of one do not count against the others. */
import pg from 'pg';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { bootApp, sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

const GUESSES = 500;

let app: TestApp;
let workspace: TestWorkspace;
beforeAll(async () => {
  app = await bootApp({ queues: [], env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  workspace = await app.workspace();
});
afterAll(() => app.close());

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
const many = (count: number, ask: (i: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
const countByStatus = (answers: readonly Answer[]): Record<string, number> =>
  answers.reduce<Record<string, number>>(
    (sum, { status }) => ({ ...sum, [status]: (sum[status] ?? 0) + 1 }),
    {},
  );

async function unsubscribePath(): Promise<string> {
  const { body } = await workspace.call('POST', '/v1/contacts', { external_id: 'ada', email: 'a@b.c' });
  const scope = { workspaceId: workspace.id, environment: 'live' as const };
  const url = new URL(app.app.get(UnsubscribeLinks, { strict: false }).urlFor(scope, body.id, body.email));
  return url.pathname + url.search;
}

test('X-Forwarded-For tells strangers apart when a trusted proxy wrote it', async () => {
  expect(
    countByStatus(await many(101, () => app.request('GET', '/v1/nothing', undefined, from('203.0.113.1')))),
  ).toEqual({
    404: 100,
    429: 1,
  });
  // The proxy appends the client's address; anything the client writes before it is ignored.
  const disguised = await app.request('GET', '/v1/nothing', undefined, from('9.9.9.9, 203.0.113.1'));
  expect(disguised.status).toBe(429);
  expect((await app.request('GET', '/v1/nothing', undefined, from('203.0.113.2'))).status).toBe(404);
  // The addresses of one IPv6 household count as one client.
  await many(100, (i) => app.request('GET', '/v1/nothing', undefined, from(`2001:db8::${i}`)));
  expect((await app.request('GET', '/v1/nothing', undefined, from('2001:db8::beef:1'))).status).toBe(429);
  expect((await app.request('GET', '/v1/nothing', undefined, from('2001:db8:0:1::1'))).status).toBe(404);
});

test('without TRUSTED_PROXIES the header counts for nothing', async () => {
  const open = await sharedApp();
  try {
    const answers = await many(101, (i) =>
      open.request('GET', '/v1/nothing', undefined, from(`203.0.113.${i}`)),
    );
    expect(countByStatus(answers)).toEqual({ 404: 100, 429: 1 });
  } finally {
    await open.close();
  }
});

test('a valid unsubscribe is never refused, its page neither; an invalid one counts', async () => {
  const anonymous = from('198.51.100.7');
  const path = await unsubscribePath();
  await many(101, () => app.request('GET', '/v1/nothing', undefined, anonymous));
  const form = { ...anonymous, 'content-type': 'application/x-www-form-urlencoded' };
  for (let i = 0; i < 3; i++) {
    const page = await app.request('GET', path, undefined, anonymous);
    const done = await app.request('POST', path, 'List-Unsubscribe=One-Click', form);
    expect([page.status, done.status]).toEqual([200, 200]);
    expect(done.headers.get('x-ratelimit-limit')).toBe('100');
  }
  const tampered = path.replace(/token=..../, 'token=AAAA');
  const refused = await app.request('GET', tampered, undefined, anonymous);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
  expect((await app.request('POST', tampered, '', form)).status).toBe(429);
  const other = from('198.51.100.8');
  const pages = await many(101, () => app.request('GET', tampered, undefined, other));
  expect(countByStatus(pages)).toEqual({ 401: 100, 429: 1 });
});

test('bad credentials cost a hundred look-ups a minute; those in use beside them go on', async () => {
  const guarded = await bootApp({ queues: [] });
  try {
    const known = await guarded.workspace({ members: [{ email: 'ada@one.test', role: 'developer' }] });
    const { id, testKey } = known;
    const guess = (i: number): Promise<Answer> =>
      guarded.request('GET', '/v1/templates', undefined, {
        'x-workspace-id': id,
        'x-api-key': `psk_live_${i.toString(16).padStart(32, '0')}`,
      });
    expect((await known.call('GET', '/v1/templates')).status).toBe(200);
    expect(countByStatus(await many(GUESSES, guess))).toEqual({ 401: 100, 429: GUESSES - 100 });
    const { status, body, headers } = await guess(0);
    expect([status, body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await known.call('GET', '/v1/templates')).status).toBe(200);
    // The key is unknown to this process, which cannot distinguish it from a guess without a database lookup.
    expect((await known.call('GET', '/v1/templates', undefined, { 'x-api-key': testKey })).status).toBe(429);
    // A fresh token proves its own identity; a forged one does not.
    const token = await guarded.token('ada@one.test');
    const asAda = (bearer: string): Promise<Answer> =>
      guarded.request('GET', '/v1/templates', undefined, { authorization: `Bearer ${bearer}` });
    expect((await asAda(token)).status).toBe(200);
    expect((await asAda(`${token.slice(0, -8)}AAAAAAAA`)).status).toBe(429);
    // Requests without credentials and requests to unknown paths have separate rate windows.
    expect((await guarded.request('GET', '/v1/templates')).status).toBe(401);
    expect((await guarded.request('GET', '/v1/nothing')).status).toBe(404);
    // Connections report their statistics when they close.
    await guarded.end();
    expect(await keyScans(guarded.adminUrl)).toBeLessThan(GUESSES / 2);
  } finally {
    await guarded.close();
  }
});

/** How often the table of keys was searched, from PostgreSQL's statistics. */
async function keyScans(adminUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ scans: number }>(
    `SELECT (idx_scan + seq_scan)::int AS scans FROM pg_stat_all_tables WHERE relname = 'api_keys'`,
  );
  await client.end();
  return rows[0]?.scans ?? 0;
}
