/**
 * GraphQL over real HTTP: every limit rejects a query before a resolver runs, errors have our codes and no
 * internal details, and the playground loads nothing from other hosts.
 */
import { runInNewContext } from 'node:vm';
import { until } from '../support/until.js';
import { PlaygroundVisitor } from '../../src/platform/graphql/playground-visitor.js';
import { Gate } from './http-app/gate.js';
import { type Answer, startHttpApp, type TestHttpApp } from './http-app/http-app.js';
import { calls } from './http-app/sample.resolver.js';

let http: TestHttpApp;
/** Sent first and awaited last, so that its ten seconds run in parallel with the other tests. */
let slow: Promise<Answer>;

beforeAll(async () => {
  http = await startHttpApp();
  slow = http.graphql('{ slow }');
});
afterAll(async () => {
  await http.close();
});
beforeEach(() => {
  calls.resolved = 0;
  calls.batches = [];
});

interface GraphqlError {
  readonly message: string;
  readonly extensions: Record<string, unknown>;
}

const errorsOf = (body: Record<string, unknown>): GraphqlError[] => (body['errors'] ?? []) as GraphqlError[];
const nest = (levels: number): string => (levels === 0 ? 'id' : `next{${nest(levels - 1)}}`);

describe('limits', () => {
  test('a modest query is answered, and its look-ups go in one batch a level', async () => {
    const { status, body } = await http.graphql(
      '{ items(first: 3) { total items { id next { id next { id } } } } }',
    );
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { items: { total: 3 } } } });
    expect(body).not.toHaveProperty('errors');
    expect(calls.batches).toEqual([
      [0, 1, 2],
      // 1 and 2 are already cached.
      [3],
    ]);
  });

  test('loaders do not outlive a request', async () => {
    await http.graphql('{ everything { next { id } } }');
    await http.graphql('{ everything { next { id } } }');
    expect(calls.batches).toEqual([[1], [1]]);
  });

  const bomb = Array.from(
    { length: 60 },
    (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`,
  ).join(' ');
  test.each([
    ['depth 9', `{ everything { ${nest(7)} } }`],
    [
      'depth 9 in fragments',
      `{ everything { ...a } } fragment a on Item { next { ...b } } fragment b on Item { ${nest(6)} }`,
    ],
    ['16 aliases', `{ ${Array.from({ length: 16 }, (_, i) => `a${i}: everything { id }`).join(' ')} }`],
    ['21 directives', `{ everything { id ${'@include(if: true)'.repeat(21)} } }`],
    ['1,001 tokens', `{ everything { ${'id '.repeat(1_001)} } }`],
    ['a cost of more than 5,000', '{ items(first: 5001) { items { id } } }'],
    [
      'a cost by nesting lists',
      '{ items(first: 1000) { items { next { next { next { next { id } } } } } } }',
    ],
    ['a bomb of fragments', `{ ...f0 } ${bomb} fragment f60 on Query { everything { id } }`],
    ['a circle of fragments', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
    ['an unknown field', '{ nothing }'],
    ['no query', 'nonsense {'],
  ])('%s: refused before any resolver runs', async (_name, query) => {
    const { status, body } = await http.graphql(query);
    expect(status).toBe(400);
    expect(errorsOf(body).length).toBeGreaterThan(0);
    expect(body['data']).toBeUndefined();
    expect(calls.resolved).toBe(0);
  });

  test.each([
    ['depth 8', `{ everything { ${nest(6)} } }`],
    ['15 aliases', `{ ${Array.from({ length: 15 }, (_, i) => `a${i}: everything { id }`).join(' ')} }`],
    ['20 directives', `{ everything { ${'id @include(if: true) '.repeat(20)} } }`],
  ])('%s: still answered', async (_name, query) => {
    const { status, body } = await http.graphql(query);
    expect(errorsOf(body)).toEqual([]);
    expect(status).toBe(200);
  });

  test('the cost counts variables', async () => {
    const query = 'query Q($first: Int) { items(first: $first) { items { id } } }';
    expect((await http.graphql(query, { first: 10 })).status).toBe(200);
    const { status, body } = await http.graphql(query, { first: 5_001 });
    expect(status).toBe(400);
    expect(errorsOf(body)[0]?.extensions['code']).toBe('query_too_costly');
    const wrong = await http.graphql(query, { first: 'many' });
    expect(wrong.status).toBe(400);
    expect(errorsOf(wrong.body)[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('a body of more than 256 kB', async () => {
    const { status, body } = await http.graphql('{ everything { id } }', { filler: 'x'.repeat(256 * 1024) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
    expect(calls.resolved).toBe(0);
  });

  test('batches', async () => {
    const { status } = await http.call('/graphql', { body: [{ query: '{ everything { id } }' }] });
    expect(status).toBe(400);
    expect(calls.resolved).toBe(0);
  });

  test('requests that a foreign page could make', async () => {
    const path = `/graphql?query=${encodeURIComponent('{ everything { id } }')}`;
    expect((await http.call(path)).status).toBe(400);
    expect(calls.resolved).toBe(0);
    expect((await http.call(path, { headers: { 'apollo-require-preflight': '1' } })).status).toBe(200);
  });

  test('the introspection of the playground is within the limits', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const { status, body } = await http.graphql(getIntrospectionQuery());
    expect(errorsOf(body)).toEqual([]);
    expect(status).toBe(200);
  });
});

describe('errors', () => {
  test('a refusal has the code, the status, its fields and the request id', async () => {
    const { status, headers, body } = await http.graphql('{ refused }');
    expect(status).toBe(200);
    expect(errorsOf(body)).toEqual([
      {
        message: 'Slow down.',
        locations: expect.anything(),
        path: ['refused'],
        extensions: {
          code: 'rate_limit_exceeded',
          status: 429,
          retry_after: 7,
          limit: 5,
          request_id: headers['x-request-id'],
        },
      },
    ]);
    expect(headers['retry-after']).toBe('7');
  });

  test('a fault says nothing, and is logged', async () => {
    const { text, headers, body } = await http.graphql('{ broken }');
    const requestId = headers['x-request-id'];
    expect(errorsOf(body)[0]?.extensions).toEqual({
      code: 'internal_error',
      status: 500,
      request_id: requestId,
    });
    expect(text).not.toMatch(/secret|stack/);
    expect(http.log.find((line) => line['request_id'] === requestId)).toMatchObject({
      level: 50,
      err: { message: 'secret words of the inside' },
    });
  });

  test('wrong queries keep the codes of GraphQL', async () => {
    const { headers, body } = await http.graphql('{ nothing }');
    expect(errorsOf(body)[0]?.extensions).toEqual({
      code: 'GRAPHQL_VALIDATION_FAILED',
      request_id: headers['x-request-id'],
    });
  });

  test.each([
    ['a batch', [{ query: '{ everything { id } }' }]],
    ['no query', {}],
    ['a query that is no text', { query: 5 }],
    ['variables that are none', { query: '{ everything { id } }', variables: 'x' }],
    ['an unknown operation', { query: '{ everything { id } }', operationName: 'other' }],
  ])('what is refused before it is read as a query carries the request id: %s', async (_name, sent) => {
    const { status, headers, body } = await http.call('/graphql', { body: sent });
    expect(status).toBe(400);
    expect(errorsOf(body).map(({ extensions }) => extensions['request_id'])).toEqual([
      headers['x-request-id'],
    ]);
  });

  test('requests that a foreign page could make are refused with the request id', async () => {
    const { headers, body } = await http.call(
      `/graphql?query=${encodeURIComponent('{ everything { id } }')}`,
    );
    expect(errorsOf(body)[0]?.extensions['request_id']).toBe(headers['x-request-id']);
  });

  test('arguments are checked by the same pipe as REST', async () => {
    const { body } = await http.graphql('{ items(first: 2001) { total } }');
    expect(errorsOf(body)[0]?.extensions).toMatchObject({
      code: 'invalid_field',
      status: 422,
      errors: [{ field: 'first', message: 'must be between 0 and 2000' }],
    });
  });

  test.each(['"yesterday"', '"2026-02-30T99:00:00Z"', '"2026-04-07T09:30"'])(
    'moment %s is refused by the name of its field',
    async (at) => {
      const asked = [
        await http.graphql(`{ moment(at: ${at}) }`),
        await http.graphql('query ($at: DateTime!) { moment(at: $at) }', { at: JSON.parse(at) as string }),
      ];
      for (const { body } of asked)
        expect(errorsOf(body)[0]?.extensions).toMatchObject({
          code: 'invalid_field',
          errors: [{ field: 'at', message: expect.stringContaining('ISO 8601') as string }],
        });
    },
  );

  test('a moment that is no text is no query', async () => {
    const { status, body } = await http.graphql('{ moment(at: 5) }');
    expect(status).toBe(400);
    expect(errorsOf(body)[0]?.message).toMatch(/ISO 8601/);
  });

  test('a moment is taken', async () => {
    const { body } = await http.graphql('{ moment(at: "2026-04-07T09:30:00+02:00") }');
    expect(body['data']).toEqual({ moment: '2026-04-07T07:30:00.000Z' });
  });
});

describe('playground', () => {
  const page = () => http.call('/graphql', { headers: { accept: 'text/html' } });

  test('the page names files of this service alone', async () => {
    const { status, headers, text } = await page();
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toMatch(/script-src 'self';.*connect-src 'self'/);
    expect(text).not.toMatch(/(?:https?:)?\/\/[a-z]/i);
  });

  test('each file is there, and is not sent twice', async () => {
    const { text } = await page();
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files).toHaveLength(6);
    for (const file of files) {
      const { status, headers } = await http.call(file);
      expect({ file, status }).toEqual({ file, status: 200 });
      const again = await http.call(file, { headers: { 'if-none-match': headers.etag ?? '' } });
      expect(again.status).toBe(304);
    }
  });

  test.each<[string, number, object, object]>([
    [
      'those that are offered, and no empty ones beside them',
      200,
      { Authorization: 'Bearer t' },
      { Authorization: 'Bearer t' },
    ],
    [
      'each to be filled in where none are',
      204,
      {},
      { 'X-WORKSPACE-ID': '', 'X-API-KEY': '', Authorization: '' },
    ],
  ])('it begins with headers: %s', async (_, status, offered, headers) => {
    const { text } = await http.call('/graphql/assets/playground.js');
    const begun = await new Promise<{ headers: string }>((resolve) => {
      runInNewContext(text, {
        fetch: () => Promise.resolve({ status, json: () => Promise.resolve(offered) }),
        GraphiQL: { createFetcher: () => undefined },
        React: { createElement: (_type: unknown, props: { headers: string }) => props },
        ReactDOM: { createRoot: () => ({ render: resolve }) },
        document: { getElementById: () => undefined },
      });
    });
    expect(JSON.parse(begun.headers)).toEqual(headers);
  });

  test('no other file is', async () => {
    for (const path of [
      '/graphql/assets/package.json',
      '/graphql/assets/..%2f..%2fpackage.json',
      '/graphql/assets/',
    ])
      expect((await http.call(path)).status).toBe(404);
  });
});

describe('credentials of the demo', () => {
  const OFFERED = { 'X-WORKSPACE-ID': 'w', Authorization: 'Bearer t' };
  const OWN = { 'x-waypost-playground': '1', 'sec-fetch-site': 'same-origin' };
  const visit = (headers: Record<string, string>) => http.call('/graphql/visitor', { headers });

  test('are not there unless a start offers them', async () => {
    const { status, text } = await visit(OWN);
    expect([status, text]).toEqual([204, '']);
  });

  test('are for our own page on this machine', async () => {
    http.app.get(PlaygroundVisitor, { strict: false }).offer(() => Promise.resolve(OFFERED));
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST']) {
      const { status, headers, body } = await visit({ ...OWN, host });
      expect([status, body]).toEqual([200, OFFERED]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  });

  test.each<[string, Record<string, string>]>([
    ['without the header that is asked for', { 'sec-fetch-site': 'same-origin' }],
    ['from another site', { ...OWN, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another port of this machine', { ...OWN, 'sec-fetch-site': 'same-site' }],
    ['by an address that somebody typed', { ...OWN, 'sec-fetch-site': 'none' }],
    ['under a name that was bound to this machine', { ...OWN, host: 'evil.example:3000' }],
    ['under a name that looks like its own', { ...OWN, host: 'localhost.evil.example' }],
    ['through a proxy', { ...OWN, 'x-forwarded-for': '203.0.113.9' }],
  ])('are not for who asks %s', async (_, headers) => {
    const { status, text } = await visit(headers);
    expect(status).toBe(404);
    expect(text).not.toContain('Bearer');
  });

  test('may not be asked for across origins', async () => {
    const { headers } = await http.call('/graphql/visitor', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-waypost-playground',
      },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

test('in production there is no playground and no introspection', async () => {
  const production = await startHttpApp({ production: true });
  try {
    const page = await production.call('/graphql', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(400);
    expect(page.text).not.toContain('<html');
    expect((await production.call('/graphql/assets/graphiql.js')).status).toBe(404);
    expect((await production.call('/graphql/visitor')).status).toBe(404);
    const { status, body } = await production.graphql('{ __schema { types { name } } }');
    expect(status).toBe(400);
    expect(body['data']).toBeUndefined();
    expect(errorsOf((await production.graphql('{ everythin { id } }')).body)[0]?.message).not.toMatch(
      /did you mean/i,
    );
  } finally {
    await production.close();
  }
});

test('in production the schema is told where the operator says so', async () => {
  const production = await startHttpApp({ production: true, introspection: true });
  try {
    const { body } = await production.graphql('{ __schema { queryType { name } } }');
    expect(body['data']).toEqual({ __schema: { queryType: { name: 'Query' } } });
    expect((await production.call('/graphql/visitor')).status).toBe(404);
  } finally {
    await production.close();
  }
});

test('a query that takes more than ten seconds is given up, and its late end harms nobody', async () => {
  const { status, headers, body } = await slow;
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('10');
  expect(body).toMatchObject({
    code: 'service_unavailable',
    detail: expect.stringContaining('longer than 10 s'),
  });
  http.app.get(Gate).open();
  await until('the resolver has asked', () => calls.late.length > 0);
  // After the timeout, list and reader queries are refused; a plain transaction, which may write, runs to
  // completion.
  expect(calls.late).toEqual(['read', 'service_unavailable', 'service_unavailable']);
  expect((await http.graphql('{ everything { id } }')).status).toBe(200);
});
