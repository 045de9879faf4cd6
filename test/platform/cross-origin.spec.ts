/** Which pages of other origins may call the API from a browser: those in CORS_ORIGINS, and none if it is not set. */
import { bootApp, sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

const OURS = 'https://app.example.com';
const METHOD = 'access-control-request-method';

let app: TestApp;
let workspace: TestWorkspace;
let closed: TestApp;

beforeAll(async () => {
  app = await bootApp({ queues: [], env: { CORS_ORIGINS: `${OURS}, http://localhost:5173` } });
  closed = await sharedApp();
  workspace = await app.workspace();
});
afterAll(async () => {
  await closed?.close();
  await app?.close();
});

/** The answer's headers that browsers evaluate. */
function allowed({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

test.each([OURS, 'http://localhost:5173'])('a page of %s asks beforehand, and is told', async (origin) => {
  const answer = await app.request('OPTIONS', `/v1/flows/${workspace.id}`, undefined, {
    origin,
    [METHOD]: 'PUT',
  });
  expect([answer.status, answer.body]).toEqual([204, '']);
  expect(allowed(answer)).toEqual({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, PUT',
    'access-control-allow-headers': expect.stringMatching(/Authorization.*X-Workspace-ID.*X-API-Key/),
    'access-control-max-age': '600',
  });
  expect(answer.headers.get('vary')).toBe('Origin');
});

test('it reads answers and refusals, with their rates, and brings no cookies', async () => {
  const answers = [
    await workspace.call('GET', '/v1/flows', undefined, { origin: OURS }),
    await app.request('GET', '/v1/flows', undefined, { origin: OURS }),
    await app.request('GET', '/v1/nothing', undefined, { origin: OURS }),
    await workspace.call('POST', '/graphql', { query: '{ __typename }' }, { origin: OURS }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 200]);
  for (const answer of answers)
    expect(allowed(answer)).toEqual({
      'access-control-allow-origin': OURS,
      'access-control-expose-headers': expect.stringMatching(/X-RateLimit-Limit.*Retry-After/),
    });
});

test.each([
  'https://app.example.com.evil.test',
  'https://evil.app.example.com',
  'http://app.example.com',
  'https://app.example.com:8443',
  'null',
  '*',
])('%s is told nothing', async (origin) => {
  for (const answer of [
    await app.request('OPTIONS', '/v1/flows', undefined, { origin, [METHOD]: 'GET' }),
    await workspace.call('GET', '/v1/flows', undefined, { origin }),
  ]) {
    expect(allowed(answer)).toEqual({});
    // A cache must not serve this answer to a page of another origin.
    expect(answer.headers.get('vary')).toBe('Origin');
  }
});

test('what is not there has no methods to tell of, and OPTIONS by itself is no question beforehand', async () => {
  const nothing = await app.request('OPTIONS', '/v1/nothing', undefined, { origin: OURS, [METHOD]: 'GET' });
  expect([nothing.status, nothing.body.code]).toEqual([404, 'not_found']);
  const bare = await app.request('OPTIONS', '/v1/flows', undefined, { origin: OURS });
  expect([bare.status, bare.body.code]).toEqual([405, 'method_not_allowed']);
});

test('without CORS_ORIGINS no page is told anything', async () => {
  const asked = { origin: OURS, [METHOD]: 'GET' };
  for (const answer of [
    await closed.request('OPTIONS', '/v1/flows', undefined, asked),
    await closed.request('GET', '/v1/flows', undefined, { origin: OURS }),
  ]) {
    expect(allowed(answer)).toEqual({});
    expect(answer.headers.get('vary')).toBeNull();
  }
});
