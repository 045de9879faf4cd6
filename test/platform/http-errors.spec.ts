/** Section 7 over real HTTP: every error has the documented shape, its code and the id of its request. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startHttpApp, type TestHttpApp } from './http-app/http-app.js';

let http: TestHttpApp;

beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(async () => {
  await http.close();
});

const deep = (levels: number): string =>
  `{"name":"a","properties":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

describe('request ids', () => {
  test('a sane id is kept, in the header and in the body of an error', async () => {
    const { headers, body } = await http.call('/nowhere', { headers: { 'x-request-id': 'caller-42' } });
    expect(headers['x-request-id']).toBe('caller-42');
    expect(body['request_id']).toBe('caller-42');
  });

  test.each(['with space', 'x'.repeat(129), 'caf\u00e9'])('%j is replaced', async (given) => {
    const { headers } = await http.call('/health/live', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/);
  });

  test('every request without one has its own', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => http.call('/health/live')));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20);
  });
});

describe('what a handler does not take', () => {
  const act = (path: string, options: Parameters<TestHttpApp['call']>[1]) => http.call(path, options);

  test.each([
    ['no body', { method: 'POST' }],
    ['an empty body', { body: '' }],
    ['an empty object', { body: '{}' }],
  ])('%s is fine', async (_name, options) => {
    const answer = await act('/v1/samples/a/act', options);
    expect([answer.status, answer.body]).toEqual([200, { id: 'a' }]);
  });

  test.each([
    ['a field', '/v1/samples/a/act', { body: { for: 5 } }, 'for'],
    ['a parameter', '/v1/samples/a/act?force=true', { method: 'POST' }, 'force'],
    ['a parameter beside a body that is taken', '/v1/samples?force=true', { body: { name: 'a' } }, 'force'],
    ['a parameter of a deletion', '/v1/samples/a?force=true', { method: 'DELETE' }, 'force'],
    ['a field of a deletion', '/v1/samples/a', { method: 'DELETE', body: { force: true } }, 'force'],
  ])('%s is refused by name', async (_name, path, options, field) => {
    const { status, body } = await act(path, options);
    expect([status, body['code'], body['errors']]).toEqual([
      422,
      'invalid_field',
      [{ field, message: 'is not a known field' }],
    ]);
  });

  test.each(['[]', '5', 'null', '"pause"', '[{"for":5}]'])('%s is no object', async (body) => {
    const answer = await act('/v1/samples/a/act', { body });
    expect([answer.status, answer.body['code']]).toEqual([400, 'validation_error']);
  });
});

describe('bodies', () => {
  const post = (body: string | Buffer | object, headers = {}) => http.call('/v1/samples', { body, headers });

  test('a good one is taken', async () => {
    const answer = await post({ name: 'a', properties: { plan: 'pro' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'a', properties: { plan: 'pro' } });
  });

  test.each([
    ['truncated', '{"name":'],
    ['no JSON', 'name=a'],
    ['NaN', '{"name":NaN}'],
    ['an array', '[]'],
    ['an array of objects', '[{"name":"a"}]'],
    ['a number', '5'],
    ['null', 'null'],
    ['text', '"name"'],
    ['nested too deeply', deep(100)],
    ['nested absurdly', deep(40_000)],
    ['a poisoned prototype', '{"name":"a","__proto__":{"polluted":true}}'],
    ['a poisoned prototype, escaped', '{"name":"a","\\u005f_proto__":{"polluted":true}}'],
    ['a poisoned prototype, inside', '{"name":"a","properties":{"__proto__":{"polluted":true}}}'],
    ['a poisoned constructor', '{"name":"a","properties":{"constructor":{"prototype":{"polluted":true}}}}'],
    ['a missing field', '{}'],
    ['nothing', ''],
  ])('%s: 400 validation_error', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      detail: expect.any(String),
      request_id: answer.headers['x-request-id'],
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each([
    ['__proto__', '{"name":"a","__proto__":{"polluted":true}}'],
    ['__proto__ that is null', '{"name":"a","properties":{"__proto__":null}}'],
    ['__proto__ behind a byte order mark', '\ufeff{"__proto__":1}'],
    ['constructor.prototype', '{"name":"a","properties":{"constructor":{"prototype":{}}}}'],
  ])('a key that is not accepted is no fault of the JSON: %s', async (_name, body) => {
    expect((await post(body)).body).toMatchObject({
      code: 'validation_error',
      detail: 'The body contains a key that is not allowed: __proto__ or constructor.prototype.',
    });
  });

  test.each([
    ['lists in each other', `{"name":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
    ['numbers', `{"name":[${'0,'.repeat(200_000)}0]}`],
  ])('more values than are read in a moment are refused unread: %s', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({
      code: 'payload_too_large',
      detail: 'The body contains more values than this endpoint accepts.',
    });
  });

  test.each([
    ['small', `{"name":[${'1e-999,'.repeat(600)}0]}`],
    ['long', `{"name":[${'12345678901234567890,'.repeat(20_001)}0]}`],
  ])('too many numbers that no double holds are refused: %s ones', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      detail: 'The body contains too many numbers with more digits than a double can hold.',
    });
  });

  test('what is no JSON is said to be none, whatever keys it holds', async () => {
    expect((await post('{"__proto__":1')).body['detail']).toBe('The body must be valid JSON.');
  });

  test('a constructor without a prototype is a key like others', async () => {
    expect((await post({ name: 'a', properties: { constructor: 'Acme' } })).status).toBe(201);
  });

  test.each([
    ['a byte that no text holds', Buffer.from('{"name":"\xff"}', 'latin1')],
    ['Latin 1', Buffer.from('{"name":"é"}', 'latin1')],
    ['half a character', Buffer.from('{"name":"\xf0\x9f\x98"}', 'latin1')],
    ['an encoded surrogate', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"name":"a"}', 'utf16le')],
  ])('bytes that are no UTF-8 are refused, not replaced: %s', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      detail: 'The body must be valid UTF-8.',
      request_id: answer.headers['x-request-id'],
    });
  });

  test('text beyond ASCII is taken, as is a byte order mark', async () => {
    const answer = await post(Buffer.from('\ufeff{"name":"é😀\ufffd"}'));
    expect(answer.body['name']).toBe('é😀\ufffd');
  });

  test('text that looks like an escape is text', async () => {
    const answer = await post({ name: 'a', properties: { path: 'C:\\u0000', smile: '😀' } });
    expect(answer.body['properties']).toEqual({ path: 'C:\\u0000', smile: '😀' });
  });

  test('a missing required field is named', async () => {
    const { body } = await post({ email: 'a@b.co' });
    expect(body['errors']).toEqual([{ field: 'name', message: 'is required' }]);
    expect(body['detail']).toBe('name: is required');
  });

  test.each([
    ['wrong type', { name: 5 }, 'name'],
    ['null', { name: null }, 'name'],
    ['empty', { name: '' }, 'name'],
    ['too long', { name: 'x'.repeat(11) }, 'name'],
    ['unknown field', { name: 'a', role: 'owner' }, 'role'],
    ['nested', { name: 'a', steps: [{ type: 'wait' }, { type: 5 }] }, 'steps[1].type'],
    ['nested unknown', { name: 'a', steps: [{ type: 'wait', id: 1 }] }, 'steps[0].id'],
  ])('%s: 422 invalid_field', async (_name, body, field) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 'invalid_field',
      errors: [{ field, message: expect.any(String) }],
    });
  });

  test('a malformed email: 400 invalid_email', async () => {
    const answer = await post({ name: 'a', email: 'nobody' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_email', errors: [{ field: 'email' }] });
  });

  test('more than 5 MB: 413', async () => {
    const answer = await post({ name: 'x'.repeat(5 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({
      code: 'payload_too_large',
      request_id: answer.headers['x-request-id'],
    });
  });

  test.each(['text/plain', 'application/xml', 'nonsense'])('%s: 415', async (type) => {
    const answer = await post('name', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
  });
});

describe('addresses', () => {
  test('an unknown path: 404', async () => {
    const answer = await http.call('/v1/nothing?token=abc');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      detail: 'Nothing found at this path.',
      code: 'not_found',
      request_id: answer.headers['x-request-id'],
    });
  });

  test.each(['PATCH', 'DELETE', 'TRACE'])('%s on a known path: 405 with Allow', async (method) => {
    const answer = await http.call('/v1/samples', { method });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    expect(answer.body).toMatchObject({ code: 'method_not_allowed' });
  });

  test('405 knows parameters', async () => {
    expect((await http.call('/v1/samples/42', { method: 'PUT' })).status).toBe(405);
  });

  test.each(['/v1/samples/%zz', '/v1/samples/%00', '/v1/samples?limit=%00'])('%s: 400', async (path) => {
    const answer = await http.call(path);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      request_id: answer.headers['x-request-id'],
    });
  });

  test('a parameter that no name has: 414 in the usual shape', async () => {
    const answer = await http.call(`/v1/samples/${'x'.repeat(2_000)}`);
    expect(answer.status).toBe(414);
    expect(answer.body).toMatchObject({ code: 'validation_error', detail: expect.any(String) });
  });

  test('a query parameter out of bounds: 422', async () => {
    const answer = await http.call('/v1/samples?limit=201');
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      errors: [{ field: 'limit', message: 'must be between 0 and 200' }],
    });
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s: our shape all the same', async (_name, bytes, status) => {
    const socket = connect(http.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain(`HTTP/1.1 ${status}`);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      code: 'validation_error',
      detail: expect.any(String),
      request_id: expect.any(String),
    });
  });
});

describe('shapes and faults', () => {
  test('nested', async () => {
    const answer = await http.call('/v1/samples/refused/nested');
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      detail: { code: 'invalid_date_param', message: 'from_date is no date', param: 'from_date' },
      request_id: answer.headers['x-request-id'],
    });
  });

  test('forbidden', async () => {
    const answer = await http.call('/v1/samples/refused/forbidden');
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      error: 'forbidden',
      reason: 'missing_permission',
      required_permission: 'flows:write',
    });
  });

  test('Retry-After in whole seconds', async () => {
    const answer = await http.call('/v1/samples/refused/limited');
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('13');
    expect(answer.body).not.toHaveProperty('retry_after');
  });

  test("a library's refusal has a code of ours", async () => {
    expect((await http.call('/v1/samples/refused/other')).body).toMatchObject({
      reason: 'missing_permission',
    });
  });

  test('a fault: 500 that says nothing, and a log line that says all', async () => {
    const answer = await http.call('/v1/samples/broken');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'internal_error', request_id: answer.headers['x-request-id'] });
    expect(answer.text).not.toMatch(/secret|stack|Error:/);
    const line = http.log.find((entry) => entry['request_id'] === answer.headers['x-request-id']);
    expect(line).toMatchObject({
      level: 50,
      route: '/v1/samples/broken',
      err: { message: 'secret words of the inside', stack: expect.any(String) },
    });
  });

  test('a value that PostgreSQL cannot hold: 422, not 500', async () => {
    const answer = await http.call('/v1/samples/numbers', { body: '99999999999' });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'invalid_field' });
  });

  test('the database away: 503 with Retry-After, and back again', async () => {
    http.database.cut();
    const answer = await http.call('/v1/samples/database');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.body).toMatchObject({ code: 'service_unavailable' });
    const health = await http.call('/health/ready');
    expect(health.status).toBe(503);
    expect(health.body).toMatchObject({
      code: 'service_unavailable',
      status: 'unavailable',
      checks: { database: 'down', queue: 'down' },
    });
    expect((await http.call('/health/live')).status).toBe(200);
    http.database.mend();
    expect((await http.call('/v1/samples/database')).status).toBe(200);
  });
});

describe('what every answer has', () => {
  test.each(['/health/live', '/nowhere', '/v1/samples/broken', '/v1/samples'])(
    '%s: strict headers',
    async (path) => {
      const { headers } = await http.call(path);
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );

  test('metrics count by pattern of the route, never by path', async () => {
    await http.call('/v1/samples/some-id-of-a-tenant');
    await http.call('/some-path-of-a-stranger');
    const { text, headers } = await http.call('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toContain('route="/v1/samples/:id"');
    expect(text).toContain('route="unmatched"');
    expect(text).not.toMatch(/some-id-of-a-tenant|some-path-of-a-stranger/);
    expect(text).toMatch(/nodejs_eventloop_lag/);
  });
});
