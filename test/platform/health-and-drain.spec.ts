/**
 * Health endpoints, API documents, and shutdown: a process reports that it is stopping, and answers the requests
 * that it accepted.
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { drain } from '../../src/platform/http/drain.js';
import { ReadinessState } from '../../src/platform/telemetry/readiness-state.js';
import { buildOpenApi, renderOpenApi } from '../../src/modules/operations/http/openapi.js';
import { renderSchema } from '../../src/platform/graphql/graphql.module.js';
import { Gate } from './http-app/gate.js';
import { startHttpApp, type TestHttpApp } from './http-app/http-app.js';

const { version: release } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

let http: TestHttpApp;

beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(async () => {
  await http.close();
});

async function raw(
  path: string,
  accepted: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }> {
  const sent = request(`http://127.0.0.1:${http.port}${path}`, {
    headers: { 'accept-encoding': accepted, ...headers },
  });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

test.each([
  ['/health', { version: release }],
  ['/health/ready', {}],
])('%s says what works', async (path, more) => {
  const { status, headers, body } = await http.call(path);
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toEqual({ status: 'ok', phase: 'ready', checks: { database: 'up', queue: 'up' }, ...more });
});

test('/health/live answers without asking anyone', async () => {
  expect((await http.call('/health/live')).body).toEqual({ status: 'ok' });
});

describe('documentation', () => {
  test('the document describes routes, both kinds of credentials, and errors with examples', async () => {
    const { status, text } = await http.call('/openapi.json');
    expect(status).toBe(200);
    expect(text).toBe(renderOpenApi(http.app));
    const document = buildOpenApi(http.app);
    expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual([
      'bearer',
      'apiKey',
      'workspace',
    ]);
    expect(document.paths['/health/ready']?.get?.security).toEqual([]);
    const conflict = document.paths['/v1/samples']?.post?.responses[409];
    expect(conflict).toMatchObject({
      content: { 'application/json': { examples: { conflict: { value: { code: 'conflict' } } } } },
    });
    const invalid = document.paths['/v1/samples']?.post?.responses[400];
    expect(invalid).toMatchObject({ description: 'validation_error' });
  });

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('the document is compressed for a caller that accepts %s', async (accepted, encoding, decompress) => {
    const plain = await raw('/openapi.json', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['vary']).toContain('Accept-Encoding');
    for (let again = 0; again < 2; again++) {
      const { headers, body } = await raw('/openapi.json', accepted);
      expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(body.length) });
      expect(body.length).toBeLessThan(plain.body.length / 4);
      expect(decompress(body)).toEqual(plain.body);
    }
  });

  test('an asset keeps its tag, and a small answer is not compressed', async () => {
    const { headers } = await raw('/docs/assets/swagger-ui.css', 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    const tag = String(headers['etag']);
    expect(tag).toMatch(/^W\/"/);
    expect((await raw('/docs/assets/swagger-ui.css', 'gzip', { 'if-none-match': tag })).status).toBe(304);
    expect((await raw('/health', 'gzip')).headers['content-encoding']).toBeUndefined();
  });

  test('the page names files of this service alone, and they are there', async () => {
    const { status, headers, text } = await http.call('/docs');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).toContain(`Waypost ${release}`);
    expect(text).not.toMatch(/(?:https?:)?\/\/[a-z]/i);
    for (const [, path] of text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect({ path, status: (await http.call(path ?? '')).status }).toEqual({ path, status: 200 });
  });

  test('both files come out the same each time', () => {
    expect(renderOpenApi(http.app)).toBe(renderOpenApi(http.app));
    expect(renderSchema(http.app)).toContain('type Query {');
    expect(renderSchema(http.app)).toBe(renderSchema(http.app));
  });
});

describe('the end', () => {
  test('not ready first; what was taken is answered; late requests on open connections too; then closed', async () => {
    const ending = await startHttpApp();
    const gate = ending.app.get(Gate);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const onOneConnection = async (path: string): Promise<IncomingMessage> => {
      const sent = request({ port: ending.port, path, agent });
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response;
    };

    expect((await onOneConnection('/health/ready')).headers.connection).toBe('keep-alive');
    const slow = ending.call('/v1/samples/slow', { headers: { connection: 'keep-alive' } });
    await gate.holds(1);
    const drained = drain(ending.app, { notReadyMs: 300, forceCloseAfterMs: 60_000 });
    expect(ending.app.get(ReadinessState).phase).toBe('draining');

    const refused = await ending.call('/health/ready');
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ phase: 'draining', detail: 'The process is shutting down.' });
    const late = await onOneConnection('/health/live');
    expect(late.statusCode).toBe(200);
    expect(late.headers.connection).toBe('close');

    const server = ending.app.getHttpServer();
    while (server.listening) await new Promise((resolve) => setImmediate(resolve));
    gate.open();
    const answer = await slow;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ done: true });
    await drained;
    const probe = connect(ending.port, '127.0.0.1');
    const [error] = (await once(probe, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    await ending.close();
  });

  test('a request that never ends does not keep the process', async () => {
    const ending = await startHttpApp();
    const slow = ending.call('/v1/samples/slow');
    const cut = expect(slow).rejects.toThrow(/socket hang up|ECONNRESET/);
    await ending.app.get(Gate).holds(1);
    await drain(ending.app, { notReadyMs: 0, forceCloseAfterMs: 50 });
    await cut;
    await ending.close();
  });
});
