/** Request rates over HTTP, section 8.1: every answer carries the headers, and no caller exceeds a window. */
import { OPERATOR_AUTHOR } from '../../src/kernel/principal.js';
import { WorkspaceRates } from '../../src/modules/workspaces/application/workspace-rates.js';
import { bootApp, type Answer, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({ queues: [], env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
});
afterAll(() => app.close());

const JSON_TYPE = { 'content-type': 'application/json' };

test('a workspace’s window is shared by its keys; beyond it 429 with Retry-After', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const keys = [workspace.key, workspace.testKey];
  const answers = [];
  for (let i = 0; i < 101; i++)
    answers.push(await workspace.call('GET', '/v1/templates', undefined, { 'x-api-key': keys[i % 2] ?? '' }));
  expect(answers.slice(0, 100).every(({ status }) => status === 200)).toBe(true);
  const [refused] = answers.slice(100);
  expect(refused?.status).toBe(429);
  expect(refused?.body).toMatchObject({ code: 'rate_limit_exceeded', detail: expect.any(String) });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answers[99]?.headers.get('x-ratelimit-remaining')).toBe('0');
  // Events have a separate window.
  expect((await workspace.call('POST', '/v1/events', { external_id: 'x', event_name: 'x' })).status).toBe(
    202,
  );
});

test('a key has a minute of its own, for whatever it asks; its headers tell of the window with less room', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const event = { external_id: 'x', event_name: 'x' };
  const shown: string[] = [];
  for (let i = 0; i < 60; i++) {
    const { status, headers } =
      i % 2
        ? await workspace.call('GET', '/v1/templates')
        : await workspace.call('POST', '/v1/events', event);
    expect(status).toBe(i % 2 ? 200 : 202);
    shown.push(`${headers.get('x-ratelimit-remaining')}/${headers.get('x-ratelimit-limit')}`);
  }
  expect(shown).toEqual(Array.from({ length: 60 }, (_, i) => `${59 - i}/60`));
  const refused = await workspace.call('POST', '/v1/events', event);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  // Members have separate windows.
  expect((await workspace.graphql('{ workspace { name } }')).headers.get('x-ratelimit-remaining')).toBe('59');
});

describe('every answer has the headers', () => {
  const seconds = (): number => Date.now() / 1_000;
  let workspace: Awaited<ReturnType<TestApp['workspace']>>;
  beforeAll(async () => (workspace = await app.workspace({ plan: 'growth' })));
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const large = JSON.stringify({ external_id: 'x', event_name: 'x', pad: 'x'.repeat(6_000_000) });

  test.each<[string, number, () => Promise<Answer>]>([
    ['200', 200, () => workspace.call('GET', '/v1/templates')],
    ['HEAD', 200, () => workspace.call('HEAD', '/v1/templates')],
    ['OPTIONS', 405, () => workspace.call('OPTIONS', '/v1/templates')],
    ['201', 201, () => workspace.call('POST', '/v1/contacts', { external_id: 'c', email: 'c@example.com' })],
    ['202', 202, () => workspace.call('POST', '/v1/events', { external_id: 'x', event_name: 'x' })],
    ['400, malformed JSON', 400, () => workspace.call('POST', '/v1/events', '{"external_id":')],
    ['400, a field is missing', 400, () => workspace.call('POST', '/v1/events', {})],
    ['401, nobody', 401, () => app.request('GET', '/v1/templates', undefined, from('198.51.100.20'))],
    [
      '401, a wrong key',
      401,
      () => workspace.call('GET', '/v1/templates', undefined, { 'x-api-key': `psk_live_${'0'.repeat(32)}` }),
    ],
    [
      '401, a wrong token',
      401,
      () => app.request('GET', '/v1/templates', undefined, { authorization: 'Bearer x.y.z' }),
    ],
    ['403, dashboard only', 403, () => workspace.call('GET', '/v1/workspace/members')],
    ['404, a record', 404, () => workspace.call('GET', '/v1/flows/0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface')],
    ['404, a path', 404, () => app.request('GET', '/v1/nothing', undefined, from('198.51.100.21'))],
    ['405', 405, () => app.request('DELETE', '/v1/events', undefined, from('198.51.100.22'))],
    ['413', 413, () => workspace.call('POST', '/v1/events', large)],
    ['415', 415, () => workspace.call('POST', '/v1/events', 'a=b', { 'content-type': 'text/csv' })],
    ['422', 422, () => workspace.call('POST', '/v1/events', { external_id: 5, event_name: 'x' })],
    ['GraphQL', 200, () => workspace.graphql('{ workspace { name } }')],
    ['GraphQL, no query', 400, () => workspace.graphql('{')],
    [
      'a webhook without a signature',
      401,
      () => app.request('POST', '/v1/webhooks/email', {}, from('198.51.100.23')),
    ],
    ['a link that nobody signed', 404, () => app.request('GET', '/t/o/x', undefined, from('198.51.100.24'))],
  ])('%s', async (_name, status, ask) => {
    const { status: answered, headers } = await ask();
    expect(answered).toBe(status);
    for (const name of ['limit', 'remaining', 'reset'])
      expect([name, headers.get(`x-ratelimit-${name}`)]).toEqual([name, expect.stringMatching(/^\d+$/)]);
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(
      Number(headers.get('x-ratelimit-limit')),
    );
    // A Unix time in whole seconds, within the window plus the length of its slots.
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(seconds() - 1);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeLessThan(seconds() + 3_700);
    expect(headers.get('retry-after')).toBeNull();
  });
});

describe('two processes', () => {
  let other: TestApp;
  beforeAll(async () => (other = await bootApp({ on: app, queues: [] })));
  afterAll(() => other.end());

  test('count a key, a member and an endpoint together', async () => {
    const { id, key, ownerToken } = await app.workspace({ plan: 'free' });
    const asKey = { 'x-workspace-id': id, 'x-api-key': key };
    const asOwner = { 'x-workspace-id': id, authorization: `Bearer ${ownerToken}` };
    const passed = async (headers: Record<string, string>, path: string, tries: number): Promise<number> => {
      const asked = Array.from({ length: tries }, (_, i) =>
        [app, other][i % 2]!.request('GET', path, undefined, headers),
      );
      // Of two concurrent exports one may be refused with 503, and counts nevertheless.
      return (await Promise.all(asked)).filter(({ status }) => status !== 429).length;
    };
    expect(await passed(asKey, '/v1/templates', 80)).toBe(60);
    expect(await passed(asOwner, '/v1/templates', 50)).toBe(50);
    const report = '/v1/analytics/export';
    expect(await passed(asOwner, report, 9)).toBe(5);
    expect(await passed(asOwner, '/v1/templates', 20)).toBe(5);
  });

  test('hold the rates that the operator gives a workspace, as soon as they are given', async () => {
    const workspace = await app.workspace({ plan: 'enterprise' });
    const headers = { 'x-workspace-id': workspace.id, 'x-api-key': workspace.key };
    const limitOf = async (at: TestApp): Promise<string | null> =>
      (await at.request('GET', '/v1/templates', undefined, headers)).headers.get('x-ratelimit-limit');
    expect([await limitOf(app), await limitOf(other)]).toEqual(['2147483647', '2147483647']);
    const rates = app.app.get(WorkspaceRates, { strict: false });
    await rates.change({ workspaceId: workspace.id }, { perMinute: 7, events: 5_000 }, OPERATOR_AUTHOR);
    let shown: (string | null)[] = [];
    while (!shown.every((limit) => limit === '7') || shown.length === 0)
      shown = [await limitOf(app), await limitOf(other)];
    const seen = await workspace.graphql(
      '{ workspace { rateLimits { perMinute perHour general events send } } auditLog(first: 1) { edges { node { action actor before after } } } }',
    );
    expect(seen.body.data.workspace.rateLimits).toEqual({
      perMinute: 7,
      perHour: null,
      general: null,
      events: 5_000,
      send: null,
    });
    expect(seen.body.data.auditLog.edges[0].node).toEqual({
      action: 'rate_limits_changed',
      actor: 'operator',
      before: {},
      after: { perMinute: 7, events: 5_000 },
    });
  });
});

test('what never reaches a handler is counted by its address, and says so', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const stray: [string, string, string | undefined, Record<string, string>, number][] = [
    ['POST', '/v1/events', '{"external_id":', JSON_TYPE, 401],
    ['POST', '/v1/events', 'external_id=a&event_name=b', form, 415],
    ['GET', '/v1/nothing', undefined, {}, 404],
    ['DELETE', '/v1/events', undefined, {}, 405],
    ['GET', '/v1/templates', undefined, {}, 401],
  ];
  for (const [method, path, body, headers, status] of stray) {
    const answer = await app.request(method, path, body, headers);
    expect([method, path, answer.status]).toEqual([method, path, status]);
    expect([path, answer.headers.get('x-ratelimit-limit')]).toEqual([path, '100']);
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  }
  let last = await app.request('GET', '/v1/nothing');
  for (let i = 0; i < 100 && last.status === 404; i++) last = await app.request('GET', '/v1/nothing');
  expect([last.status, last.body.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('paths outside of the API that do not exist are counted as well; the files of our pages are served on', async () => {
  const left = async (path: string): Promise<[number, number]> => {
    const { status, headers } = await app.request('GET', path, undefined, {
      'x-forwarded-for': '198.51.100.9',
    });
    return [status, Number(headers.get('x-ratelimit-remaining') ?? Number.NaN)];
  };
  const files = ['/graphql/assets/graphiql.css', '/graphql/visitor', '/.well-known/jwks.json'];
  for (const path of files) expect([path, ...(await left(path))]).toEqual([path, expect.any(Number), 100]);
  const unknown = ['/x', '/', '//', '/v2/x', '/favicon.ico', '/graphql/x', '/docs/x', '/health/x'];
  let remaining = 100;
  for (const path of unknown) {
    const [status, shown] = await left(path);
    expect([path, status, shown]).toEqual([path, 404, --remaining]);
  }
  for (; remaining > 0; remaining--) await left('/x');
  expect((await left('/x'))[0]).toBe(429);
  for (const path of files) expect([path, (await left(path))[0]]).not.toEqual([path, 429]);
});

test('health, metrics and documents are not limited', async () => {
  for (const path of ['/health', '/health/live', '/health/ready', '/metrics', '/docs', '/openapi.json']) {
    const answer = await app.request('GET', path);
    expect([path, answer.headers.get('x-ratelimit-limit')]).toEqual([path, null]);
  }
});
