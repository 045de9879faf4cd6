/**
 * Gate S9 for imports: credentials and a platform's answers may name any host (endpoints, next pages, downloads,
 * redirects), in any notation. Connections go only to the operator's base URL and to public addresses.
 */
import type { PlatformCalls } from '../../src/modules/imports/application/platform-calls.js';
import { SourceFailure } from '../../src/modules/imports/domain/import-source.js';
import { OUTBOUND_BOUNDS } from '../../src/platform/outbound/work.js';
import type { Lookup } from '../../src/platform/outbound/name-service.js';
import { PRIVATE_LITERALS, PRIVATE_NAMES } from '../support/private-hosts.js';
import { aJob, CallsWorld, ScriptedServer } from './support/calls-world.js';

let world: CallsWorld;
/** The operator's base URL. */
let server: ScriptedServer;
/** Servers that must not be reached: a port on every address of this machine. */
let secret: ScriptedServer[];
let port: number;

const lookUp: Lookup = async (host) => {
  const found = PRIVATE_NAMES[host];
  if (!found) throw new Error(`Nobody knows ${host}.`);
  return found;
};

beforeAll(async () => {
  world = await CallsWorld.start();
  server = await ScriptedServer.start();
  const four = await ScriptedServer.start('0.0.0.0');
  port = four.port;
  secret = [four, await ScriptedServer.start('::', port)];
});
afterEach(() => world.close());
afterAll(async () => {
  for (const each of [server, ...secret]) await each.stop();
  await world.stop();
});
beforeEach(() => {
  for (const each of secret) each.answer((_, response) => response.end('secret'));
});

const connections = (): number => secret.reduce((sum, each) => sum + each.connections, 0);

const calls = (): PlatformCalls =>
  world.factory({ klaviyo: server.url }, { lookUp }).of(world.scope, aJob(), new AbortController().signal);

async function failureOf(made: Promise<unknown>): Promise<SourceFailure> {
  const thrown = await made.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof SourceFailure)) throw new Error('It did not fail as it has to.', { cause: thrown });
  return thrown;
}

const REFUSED = {
  code: 'platform_unavailable',
  detail: 'The platform returned a host that is not on the public internet.',
};

const redirect = (location: string): void =>
  server.answer((_, response) =>
    response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end(),
  );

describe.each([...PRIVATE_LITERALS, ...Object.keys(PRIVATE_NAMES)].map((host) => [host] as const))(
  '%s',
  (host) => {
    test.each(['http', 'https'])('is not reached (%s)', async (scheme) => {
      const origin = `${scheme}://${host}:${port}`;
      const headers = { authorization: 'Bearer canary' };
      // An endpoint from credentials, where the operator configured no base URL.
      const free = world.factory({}, { lookUp }).of(world.scope, aJob(), new AbortController().signal);
      const endpoint = `${free.baseUrl(origin)}/users/export/segment`;
      for (const method of ['GET', 'POST'] as const)
        expect(await failureOf(free.call({ method, url: endpoint, headers }))).toMatchObject(REFUSED);
      expect(await failureOf(free.json({ method: 'GET', url: endpoint, headers }))).toMatchObject(REFUSED);
      // A next page and a download from an answer, and redirects of both.
      const guarded = calls();
      const base = guarded.baseUrl('https://a.klaviyo.com');
      expect(await failureOf(guarded.call({ method: 'GET', url: `${origin}/next`, headers }))).toMatchObject(
        REFUSED,
      );
      expect(await failureOf(guarded.download(`${origin}/export.zip`, 'a'))).toMatchObject(REFUSED);
      redirect(`${origin}/`);
      expect(await failureOf(guarded.call({ method: 'GET', url: `${base}/api`, headers }))).toMatchObject(
        REFUSED,
      );
      expect(await failureOf(guarded.download(`${base}/export.zip`, 'a'))).toMatchObject(REFUSED);
      expect(connections()).toBe(0);
    });
  },
);

test.each([
  'http://acme.com:80@127.0.0.1:PORT/',
  'http://user:secret@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@acme.com/',
  'http://127.0.0.1:PORT#@acme.com/',
  'http:127.0.0.1:PORT',
  ' \thttp://127.0.\n0.1:PORT/',
  'HTTP://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
])('%s is read as browsers do, and not reached', async (address) => {
  const url = address.replace('PORT', String(port));
  const guarded = calls();
  expect(await failureOf(guarded.download(url, 'a'))).toMatchObject(REFUSED);
  expect(await failureOf(guarded.call({ method: 'GET', url, headers: {} }))).toMatchObject(REFUSED);
  expect(connections()).toBe(0);
});

test.each([
  ...['ftp://acme.com/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'data:,x', '', '//acme.com', 'http://'],
  ...['http://[::1', 'http://1.2.3.4.5/', 'http://[fe80::1%25eth0]/'],
  ...[1, 22, 25, 2375, 5432, 6379, 11211].map((each) => `http://1.1.1.1:${each}/`),
])('%s is none that is asked', async (url) => {
  const guarded = calls();
  expect(await failureOf(guarded.download(url, 'a'))).toMatchObject({ code: 'platform_unavailable' });
  expect(await failureOf(guarded.call({ method: 'GET', url, headers: {} }))).toMatchObject({
    code: 'platform_unavailable',
  });
  expect(world.clock.waits).toEqual([]);
});

test('an address longer than any that is meant is not asked', async () => {
  const guarded = calls();
  const url = `${server.url}/${'x'.repeat(9_000)}`;
  expect(await failureOf(guarded.download(url, 'a'))).toMatchObject({ code: 'platform_unavailable' });
});

test('of the host of the base URL that port is allowed and no other', async () => {
  server.answer((_, response) => response.end('{}'));
  const guarded = calls();
  const base = guarded.baseUrl('https://a.klaviyo.com');
  const ask = (url: string) => guarded.call({ method: 'GET', url, headers: {} });
  expect(await ask(`${base}/`)).toMatchObject({ status: 200 });
  expect(await failureOf(ask(`http://127.0.0.1:${port}/`))).toMatchObject(REFUSED);
  expect(connections()).toBe(0);
});

test('what is allowed to one platform is not to another, over a connection that was kept neither', async () => {
  server.answer((_, response) => response.end('{}'));
  const factory = world.factory({ klaviyo: server.url }, { lookUp });
  const of = (platform: 'klaviyo' | 'intercom') =>
    factory.of(world.scope, { ...aJob(), platform }, new AbortController().signal);
  const call = { method: 'GET', url: `${server.url}/`, headers: {} } as const;
  expect(await of('klaviyo').call(call)).toMatchObject({ status: 200 });
  expect(await failureOf(of('intercom').call(call))).toMatchObject(REFUSED);
  expect(await of('klaviyo').call(call)).toMatchObject({ status: 200 });
  expect(server.asked).toHaveLength(2);
  expect(server.connections).toBe(1);
});

test('a name that leads elsewhere a moment later is not followed there', async () => {
  const asked: string[] = [];
  server.answer((_, response) => response.end('{}'));
  const factory = world.factory(
    { klaviyo: server.url },
    { lookUp: async (host) => (asked.push(host) === 1 ? ['127.0.0.1'] : ['::1', '10.0.0.1']) },
  );
  const guarded = factory.of(world.scope, aJob(), new AbortController().signal);
  const url = `http://rebind.acme.com:${port}/`;
  expect(await failureOf(guarded.call({ method: 'GET', url, headers: {} }))).toMatchObject(REFUSED);
  const own = `http://rebind.acme.com:${server.port}/`;
  expect(await failureOf(guarded.call({ method: 'GET', url: own, headers: {} }))).toMatchObject(REFUSED);
  expect(connections()).toBe(0);
});

test('kinds of work stand in lines of their own, and nobody has all of one', () => {
  for (const bounds of Object.values(OUTBOUND_BOUNDS).flatMap(({ process, host, names }) => [
    ...[process, host, names],
  ])) {
    expect(bounds.runningPerOwner * 2).toBeLessThanOrEqual(bounds.running);
    expect(bounds.waitingPerOwner * 2).toBeLessThanOrEqual(bounds.waiting);
  }
});
