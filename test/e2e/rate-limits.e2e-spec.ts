/** Request rates over HTTP, section 8.1: every answer carries the headers, whatever it is; nobody gets past a window. */
import { bootApp, type TestApp } from '../support/app.js';

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
  // Events have a window of their own.
  expect((await workspace.call('POST', '/v1/events', { external_id: 'x', event_name: 'x' })).status).toBe(
    202,
  );
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
