/**
 * The service gives a proper answer to any input (gate S6): thousands of requests over all endpoints of openapi.json
 * and all fields of schema.gql, with bodies, queries, paths and headers that are broken in every known way. No answer
 * is an internal error, each refusal says what is wrong, and the service keeps running. FAULTS=full sends more
 * requests, PROPERTY_SEED other ones.
 */
import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import fc from 'fast-check';
import { buildSchema, isEnumType, isInputObjectType, isLeafType, isListType, isNonNullType } from 'graphql';
import type { GraphQLInputType, GraphQLOutputType } from 'graphql';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { repetitions } from '../support/test-scope.js';
import { figure } from '../support/figure.js';

const REQUESTS = repetitions({ short: 2_000, full: 20_000 });
const SIDE_BY_SIDE = 8;
/** Milliseconds after which a request counts as hanging. */
const REQUEST_TIMEOUT_MS = 60_000;

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ queues: [], env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  workspace = await app.workspace({
    templates: [{ name: 'T', slug: 'welcome', subject: 'S', body_html: '<p>B</p>' }],
    contacts: [{ external_id: 'u1', email: 'u1@example.com' }],
  });
});
afterAll(() => app?.close());

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

/** Sends the bytes unchanged; fetch would normalize them. */
function ask({ method, path, body, headers }: Request): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const call = send(
      app.url + path,
      {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(parts).toString('utf8'),
            type: String(response.headers['content-type'] ?? ''),
          }),
        );
        response.on('error', reject);
      },
    );
    call.setTimeout(REQUEST_TIMEOUT_MS, () => call.destroy(new Error('It hangs.')));
    // A refusal may arrive before the whole body was sent.
    call.on('error', reject);
    call.end(body);
  });
}

/** Values that often break software. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '😀'.repeat(50),
    'a'.repeat(300),
    '%00',
    '../../etc/passwd',
    "'; DROP TABLE contacts; --",
  ],
  ...[
    '__proto__',
    'constructor',
    '{{ 7*7 }}',
    '{the user’s',
    '«name»',
    '<script>',
    '2026-02-30',
    '1e400',
    'null',
    'ada@example.com',
  ],
  ...[
    '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea',
    'welcome',
    'u1',
    'promotional',
    'live',
    'a\r\nBcc: b@c.d',
    '=1+1',
    'x@' + 'y'.repeat(300),
  ],
];
const ODD_NUMBERS = [
  '0',
  '-1',
  '1.5',
  '1e309',
  '-0',
  '9007199254740993',
  '1e-400',
  '99999999999999999999999999',
  '2147483648',
];

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
}
interface Described {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
};

/** Draws pseudo-random values from a sequence fixed by the seed. */
class Draw {
  private state: number;
  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }
  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 4_294_967_296;
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  of<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }
}

/** JSON as text, so that it can contain what JSON.stringify cannot produce. */
function anyJson(draw: Draw, depth = 0): string {
  if (depth < 3 && draw.chance(0.25))
    return `[${Array.from({ length: Math.floor(draw.next() * 4) }, () => anyJson(draw, depth + 1)).join(',')}]`;
  if (depth < 3 && draw.chance(0.3))
    return `{${Array.from({ length: Math.floor(draw.next() * 4) }, () => `${JSON.stringify(draw.of(ODD_TEXTS))}:${anyJson(draw, depth + 1)}`).join(',')}}`;
  return draw.chance(0.3)
    ? draw.of(ODD_NUMBERS)
    : draw.chance(0.2)
      ? draw.of(['null', 'true', 'false'])
      : JSON.stringify(draw.of(ODD_TEXTS));
}

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  if (name !== undefined) return resolved(openapi.components?.schemas?.[name]);
  const [first] = schema?.allOf ?? schema?.anyOf ?? schema?.oneOf ?? [];
  return first ? resolved(first) : (schema ?? {});
}

/** A value of a schema, with parts of it broken. */
function ofSchema(schema: Schema | undefined, draw: Draw, depth = 0): string {
  const known = resolved(schema);
  if (draw.chance(0.12) || depth > 6) return anyJson(draw, depth);
  if (known.enum && draw.chance(0.8)) return JSON.stringify(draw.of(known.enum));
  if (known.example !== undefined && draw.chance(0.5)) return JSON.stringify(known.example);
  switch (known.type) {
    case 'object': {
      const members = Object.entries(known.properties ?? {}).filter(() => draw.chance(0.7));
      const written = members.map(
        ([name, member]) => `${JSON.stringify(name)}:${ofSchema(member, draw, depth + 1)}`,
      );
      if (draw.chance(0.1)) written.push(`${JSON.stringify(draw.of(ODD_TEXTS))}:${anyJson(draw)}`);
      return `{${written.join(',')}}`;
    }
    case 'array':
      return `[${Array.from({ length: Math.floor(draw.next() * 4) }, () => ofSchema(known.items, draw, depth + 1)).join(',')}]`;
    case 'integer':
    case 'number':
      return draw.chance(0.5) ? String(Math.floor(draw.next() * 100)) : draw.of(ODD_NUMBERS);
    case 'boolean':
      return draw.of(['true', 'false', '"true"']);
    case 'string':
      return JSON.stringify(draw.of(ODD_TEXTS));
    default:
      return anyJson(draw, depth);
  }
}

/** A whole body, or a truncated one. */
function bodyOf(schema: Schema | undefined, draw: Draw): string | Buffer {
  const text = ofSchema(schema, draw);
  if (draw.chance(0.06)) return text.slice(0, Math.floor(draw.next() * text.length));
  if (draw.chance(0.02)) return '['.repeat(10_000) + ']'.repeat(10_000);
  if (draw.chance(0.02)) return `{"a":`.repeat(10_000) + '1' + '}'.repeat(10_000);
  if (draw.chance(0.01)) return JSON.stringify({ name: 'x'.repeat(3_000_000) });
  if (draw.chance(0.03)) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
  if (draw.chance(0.03))
    return draw.of(['NaN', 'Infinity', '{"a":NaN}', '\ufeff{}', '{"a":1,"a":2}', '"\\ud800"', '']);
  return text;
}

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
);

function restRequest(draw: Draw, credentials: Readonly<Record<string, string>>): Request {
  const { path, method, described } = draw.of(operations);
  const part = (): string => encodeURIComponent(draw.of(ODD_TEXTS).replace(/[\ud800-\udfff]/g, '%')) || 'x';
  const filled = path.replace(/\{\w+\}/g, () => (draw.chance(0.05) ? '%c3%28' : part()));
  const named = (described.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const query = [...named, 'page', 'nothing[]']
    .filter(() => draw.chance(0.4))
    .map((name) => `${name}=${draw.chance(0.1) ? '%ff%00' : part()}`)
    .join('&');
  const schema = described.requestBody?.content?.['application/json']?.schema;
  const hasBody = method !== 'GET' || draw.chance(0.05);
  return {
    method: draw.chance(0.02) ? draw.of(['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']) : method,
    path: filled + (query === '' ? '' : `?${query}`),
    body: hasBody && !draw.chance(0.1) ? bodyOf(schema, draw) : undefined,
    headers: { ...credentials, ...oddHeaders(draw) },
  };
}

function oddHeaders(draw: Draw): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (draw.chance(0.06))
    headers['content-type'] = draw.of([
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'application/json; charset=utf-7',
      ';',
      'application/x-www-form-urlencoded',
    ]);
  if (draw.chance(0.04)) headers['content-encoding'] = draw.of(['gzip', 'br', 'x']);
  if (draw.chance(0.04)) headers['x-environment'] = draw.of(['test', 'LIVE', '', 'none']);
  if (draw.chance(0.04)) headers['accept'] = draw.of(['*/*', 'text/html', 'x']);
  if (draw.chance(0.04)) headers['x-request-id'] = draw.of(['x'.repeat(1_000), '"', '%0d%0a']);
  if (draw.chance(0.04))
    headers['x-workspace-id'] = draw.of(['', 'x', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea']);
  return headers;
}

const schema = buildSchema(readFileSync('schema.gql', 'utf8'));

function graphqlValue(type: GraphQLInputType, draw: Draw, depth = 0): string {
  if (draw.chance(0.05)) return draw.of(['null', '[]', '{}', '""', '-1', 'nothing']);
  if (isNonNullType(type)) return graphqlValue(type.ofType, draw, depth);
  if (isListType(type))
    return `[${Array.from({ length: Math.floor(draw.next() * 3) }, () => graphqlValue(type.ofType, draw, depth + 1)).join(',')}]`;
  if (isEnumType(type)) return draw.of(type.getValues()).name;
  if (isInputObjectType(type))
    return depth > 4
      ? '{}'
      : `{${Object.values(type.getFields())
          .filter((field) => isNonNullType(field.type) || draw.chance(0.3))
          .map((field) => `${field.name}: ${graphqlValue(field.type, draw, depth + 1)}`)
          .join(', ')}}`;
  if (type.name === 'Int' || type.name === 'Float') return draw.of(['0', '1', '-1', '2147483647', '100']);
  if (type.name === 'Boolean') return draw.of(['true', 'false']);
  if (type.name.startsWith('JSON')) return draw.of(['{}', '{a: 1}', '[1]', '"x"']);
  return JSON.stringify(draw.of(ODD_TEXTS)).replaceAll('\\u0000', '\\u0001');
}

function selection(type: GraphQLOutputType, draw: Draw, depth: number): string {
  let inner = type;
  while (isNonNullType(inner) || isListType(inner)) inner = inner.ofType as GraphQLOutputType;
  if (isLeafType(inner) || !('getFields' in inner)) return isLeafType(inner) ? '' : ' { __typename }';
  const fields = Object.values(inner.getFields()).filter(
    ({ args }) => args.every((argument) => !isNonNullType(argument.type)) && draw.chance(0.5),
  );
  const chosen =
    depth > 4 ? [] : fields.map((field) => `${field.name}${selection(field.type, draw, depth + 1)}`);
  return ` { __typename ${chosen.slice(0, 8).join(' ')} }`;
}

function graphqlRequest(draw: Draw, credentials: Readonly<Record<string, string>>): Request {
  const [kind, type] = draw.chance(0.6)
    ? (['query', schema.getQueryType()] as const)
    : (['mutation', schema.getMutationType()] as const);
  const field = draw.of(Object.values(type?.getFields() ?? {}).filter(({ name }) => !LASTING.has(name)));
  const given = field.args
    .filter((argument) => isNonNullType(argument.type) || draw.chance(0.4))
    .map((argument) => `${argument.name}: ${graphqlValue(argument.type, draw)}`)
    .join(', ');
  const call = `${field.name}${given === '' ? '' : `(${given})`}${selection(field.type, draw, 0)}`;
  let query = `${kind} { ${draw.chance(0.1) ? `a: ${call} b: ${call}` : call} }`;
  if (draw.chance(0.05)) query = query.slice(0, Math.floor(draw.next() * query.length));
  if (draw.chance(0.03)) query = `query { ${'a '.repeat(2_000)}}`;
  if (draw.chance(0.03)) query = `query { workspace { ${'company { '.repeat(30)} name ${'} '.repeat(30)} } }`;
  const body = draw.chance(0.04)
    ? anyJson(draw)
    : JSON.stringify({ query, ...(draw.chance(0.1) ? { variables: { x: 1 }, operationName: 'x' } : {}) });
  return { method: 'POST', path: '/graphql', body, headers: { ...credentials, ...oddHeaders(draw) } };
}

const at = (times: readonly number[], share: number): number =>
  Math.round(times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0);

/** Operations that would delete the workspace or take away its owner's access. */
const LASTING = new Set(['deleteWorkspace', 'transferOwnership', 'revokeApiKey', 'rotateApiKey']);

/** Paths that people open in a browser; they answer errors with a page. */
const PAGES = ['/v1/public/unsubscribe', '/v1/public/reports/', '/v1/reports/shared/'];

/** What is wrong with an answer; undefined if nothing is. */
function faultOf({ path }: Request, { status, text, type }: ReceivedAnswer): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  if (/\bat .*\.(?:js|ts):\d+/.test(text) || text.includes('node_modules'))
    return `a trace: ${text.slice(0, 300)}`;
  if (status < 400 || path.startsWith('/health') || text === '') return undefined;
  if (PAGES.some((page) => path.startsWith(page)) && type.startsWith('text/html')) return undefined;
  let body: {
    detail?: unknown;
    code?: unknown;
    reason?: unknown;
    errors?: { extensions?: { code?: unknown } }[];
  };
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    return `no JSON: ${status} ${text.slice(0, 200)}`;
  }
  if (path.startsWith('/graphql') && Array.isArray(body.errors) && !('detail' in body))
    return typeof body.errors[0]?.extensions?.code === 'string'
      ? undefined
      : `no code: ${text.slice(0, 200)}`;
  if (body.detail === undefined) return `no detail: ${status} ${text.slice(0, 200)}`;
  // Section 4.1: of the member endpoints, only the plan limit has a code.
  if (path.startsWith('/v1/workspace/members')) return undefined;
  const nested =
    typeof body.detail === 'object' && body.detail !== null && 'code' in body.detail
      ? body.detail.code
      : undefined;
  return [body.code, body.reason, nested].some((code) => typeof code === 'string')
    ? undefined
    : `no code: ${status} ${text.slice(0, 200)}`;
}

test(`${REQUESTS} broken requests are answered in words of ours`, async () => {
  const [seed = 1] = fc.sample(fc.nat(), 1);
  const draw = new Draw(seed);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const keyed = { 'x-workspace-id': workspace.id, 'x-api-key': workspace.key };
  const owner = { 'x-workspace-id': workspace.id, authorization: `Bearer ${workspace.ownerToken}` };
  const times: number[] = [];
  let made = 0;
  const work = async (): Promise<void> => {
    while (made < REQUESTS) {
      const n = ++made;
      const credentials = {
        ...(draw.chance(0.45) ? keyed : draw.chance(0.9) ? owner : {}),
        'x-forwarded-for': `10.${n >> 16}.${(n >> 8) % 256}.${n % 256}`,
      };
      const one = draw.chance(0.3) ? graphqlRequest(draw, credentials) : restRequest(draw, credentials);
      const description = `${one.method} ${one.path} ${JSON.stringify(one.headers)} ${String(one.body).slice(0, 1_500)}`;
      try {
        const begun = performance.now();
        const answer = await ask(one);
        times.push(performance.now() - begun);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const fault = faultOf(one, answer);
        if (fault !== undefined) faults.push(`${fault}\n  ${description}`);
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        // If a body is refused for its size, the server closes the connection.
        const isCut = (code === 'EPIPE' || code === 'ECONNRESET') && String(one.body).length > 1_000_000;
        if (!isCut) faults.push(`${message}\n  ${description}`);
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  times.sort((one, other) => one - other);
  figure(
    `half within ${at(times, 0.5)} ms, 99 of 100 within ${at(times, 0.99)} ms, all within ${at(times, 1)} ms`,
  );
  figure(
    `seed ${seed}: ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, n]) => `${status} ${n}`)
      .join(', ')}`,
  );
  expect(faults.slice(0, 10)).toEqual([]);
  expect((await app.request('GET', '/health/ready')).status).toBe(200);
  expect((await workspace.call('GET', '/v1/contacts')).status).toBe(200);
});
