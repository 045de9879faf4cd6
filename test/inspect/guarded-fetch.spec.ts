/**
 * Gate S9: a caller may name any address, in any notation and with any redirects. Connections go only to the
 * public internet, and endless answers are cut off.
 */
import dgram from 'node:dgram';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { AllowedHosts } from '../../src/platform/outbound/allowed-hosts.js';
import {
  GuardedFetch,
  type BodyReader,
  type OutboundSettings,
  type OutboundRequest,
} from '../../src/platform/outbound/guarded-fetch.js';
import type { Lookup } from '../../src/platform/outbound/name-service.js';
import { OutboundError } from '../../src/platform/outbound/outbound-error.js';
import { OUTBOUND_BOUNDS } from '../../src/platform/outbound/work.js';
import { PRIVATE_LITERALS, PRIVATE_NAMES } from '../support/private-hosts.js';
import { SELF_SIGNED } from '../support/self-signed.js';
import { until } from '../support/until.js';

const NEVER = new AbortController().signal;
const open: Server[] = [];
const sockets = new Set<Socket>();

async function listen(server: Server, host: string, port = 0): Promise<number> {
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen({ port, host, ipv6Only: true }, resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> =>
  listen(http.createServer(answer), '127.0.0.1');

/** A server that writes arbitrary bytes to the connection. */
const serveRaw = (speak: (socket: Socket) => void): Promise<number> =>
  listen(
    net.createServer((socket) => socket.once('data', () => speak(socket))),
    '127.0.0.1',
  );

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function text(pieces: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return Buffer.concat(chunks).toString();
}

/** Allows the same private hosts for all requests. */
class Allowing extends GuardedFetch {
  private readonly allowed: AllowedHosts;

  constructor({
    allowHosts = [],
    ...settings
  }: OutboundSettings & { readonly allowHosts?: readonly string[] } = {}) {
    super(settings);
    this.allowed = new AllowedHosts(allowHosts);
  }

  override fetch<Body>(owner: string, request: OutboundRequest, signal: AbortSignal, read: BodyReader<Body>) {
    return super.fetch(owner, { allowed: this.allowed, ...request }, signal, read);
  }
}

const get = (outbound: GuardedFetch, request: OutboundRequest | string, signal = NEVER) =>
  outbound.fetch('one', typeof request === 'string' ? { address: request } : request, signal, text);

/** Why the fetch was refused, or `answered` if it succeeded. */
async function reasonOf(fetched: Promise<unknown>): Promise<string> {
  try {
    await fetched;
    return 'answered';
  } catch (error) {
    if (error instanceof OutboundError) return error.reason;
    throw error;
  }
}

describe('addresses that are not of the public internet', () => {
  let connections = 0;
  let port = 0;
  beforeEach(async () => {
    connections = 0;
    const count = (): Server =>
      http.createServer((_, response) => response.end('secret')).on('connection', () => connections++);
    port = await listen(count(), '0.0.0.0');
    await listen(count(), '::', port);
  });

  const lookUp: Lookup = async (host) => {
    const found = PRIVATE_NAMES[host];
    if (!found) throw new Error(`Nobody knows ${host}.`);
    return found;
  };

  test.each(
    [...PRIVATE_LITERALS, ...Object.keys(PRIVATE_NAMES)].flatMap((host) => [
      [`http://${host}`],
      [`https://${host}`],
    ]),
  )('%s is refused, and nothing is connected to', async (origin) => {
    const outbound = new Allowing({ lookUp });
    expect(await reasonOf(get(outbound, `${origin}:${port}/`))).toBe('refused_private');
    expect(connections).toBe(0);
  });

  test.each([
    'http://acme.com:80@127.0.0.1:PORT/',
    'http://user:secret@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT\\@acme.com/',
    'http://127.0.0.1:PORT#@acme.com/',
    'http:127.0.0.1:PORT',
    'http:\\\\127.0.0.1:PORT/',
    ' \thttp://127.0.\n0.1:PORT/',
    'HTTP://LOCALHOST:PORT/',
    'http://localhost.:PORT/',
  ])('%s is read as browsers do, and refused', async (address) => {
    const outbound = new Allowing({ lookUp });
    expect(await reasonOf(get(outbound, address.replace('PORT', String(port))))).toBe('refused_private');
    expect(connections).toBe(0);
  });

  test('what stands behind a backslash is no host', async () => {
    const address = `http://acme.com\\@127.0.0.1:${port}/`;
    expect(await reasonOf(get(new Allowing({ lookUp }), address))).toBe('dns_failed');
    expect(connections).toBe(0);
  });

  test.each([
    ...['ftp://acme.com/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'javascript:alert(1)', 'data:,x'],
    ...['unix:/var/run/docker.sock', 'ws://acme.com/', 'blob:http://acme.com/1', 'mailto:a@acme.com'],
  ])('%s is no address of the web', async (address) => {
    expect(await reasonOf(get(new Allowing({ lookUp }), address))).toBe('refused_scheme');
  });

  test.each([
    '',
    'acme.com',
    '//acme.com',
    'http://',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://a b/',
    'http://1.2.3.4.5/',
  ])('“%s” is no address', async (address) => {
    expect(await reasonOf(get(new Allowing({ lookUp }), address))).toBe('bad_address');
  });

  test('an address longer than any that is meant is none', async () => {
    const long = `http://127.0.0.1:${port}/${'x'.repeat(9_000)}`;
    expect(await reasonOf(get(new Allowing({ allowHosts: ['127.0.0.1'] }), long))).toBe('bad_address');
    expect(connections).toBe(0);
  });

  test.each([
    1, 22, 25, 53, 81, 110, 143, 389, 465, 587, 993, 2375, 3306, 5432, 6000, 6379, 6667, 11211, 27017,
  ])('port %d is none of the web', async (each) => {
    const outbound = new Allowing({ lookUp, allowHosts: ['127.0.0.1'] });
    expect(await reasonOf(get(outbound, `http://127.0.0.1:${each}/`))).toBe('refused_port');
    expect(await reasonOf(get(outbound, `https://1.1.1.1:${each}/`))).toBe('refused_port');
  });

  test('a name is looked up once for a connection: what it says a moment later is not connected to', async () => {
    const gate = await serve((request, response) => {
      if (request.url === '/') response.end('the host that was judged');
      else response.writeHead(302, { location: `http://rebind.acme.com:${port}/` }).end();
    });
    const asked: string[] = [];
    const outbound = new Allowing({
      allowHosts: [`127.0.0.1:${gate}`],
      lookUp: async (host) => (asked.push(host) === 1 ? ['127.0.0.1'] : ['::1', '127.0.0.1']),
    });
    const answer = await get(outbound, `http://rebind.acme.com:${gate}/`);
    expect(answer.body).toBe('the host that was judged');
    expect(asked).toEqual(['rebind.acme.com']);
    asked.length = 0;
    expect(await reasonOf(get(outbound, `http://rebind.acme.com:${gate}/on`))).toBe('refused_private');
    expect(asked).toEqual(['rebind.acme.com', 'rebind.acme.com']);
    expect(connections).toBe(0);
  });

  test('of the addresses of a name those that are private are not tried', async () => {
    const gate = await serve((_, response) => response.end('open'));
    await listen(
      http.createServer().on('connection', () => connections++),
      '::1',
      gate,
    );
    const outbound = new Allowing({
      allowHosts: [`127.0.0.1:${gate}`],
      lookUp: async () => ['::1', '10.0.0.1', '169.254.169.254', '127.0.0.1'],
    });
    expect((await get(outbound, `http://mixed.acme.com:${gate}/`)).body).toBe('open');
    expect(connections).toBe(0);
  });

  test('what DNS says that is no address is not connected to', async () => {
    const outbound = new Allowing({ lookUp: async () => ['localhost', '127.1', ''] });
    expect(await reasonOf(get(outbound, `http://odd.acme.com:${port}/`))).toBe('dns_failed');
    expect(connections).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%d) to a private address is not followed',
    async (status) => {
      const gate = await serve((_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1.nip.io:${port}/` }).end(),
      );
      const outbound = new Allowing({ lookUp, allowHosts: [`127.0.0.1:${gate}`] });
      const fetched = get(outbound, `http://127.0.0.1:${gate}/start`);
      await expect(fetched).rejects.toMatchObject({
        reason: 'refused_private',
        redirects: [
          { from: `http://127.0.0.1:${gate}/start`, to: `http://127.0.0.1.nip.io:${port}/`, status },
        ],
      });
      expect(connections).toBe(0);
    },
  );

  test.each([
    ['http://[::1]:PORT/', 'refused_private'],
    ['//2130706433:PORT/', 'refused_private'],
    ['file:///etc/passwd', 'refused_scheme'],
    ['http://127.0.0.1:25/', 'refused_port'],
    ['http://[', 'bad_address'],
    ['http://nobody.acme.com/', 'dns_failed'],
  ])('a redirect to %s: %s', async (location, reason) => {
    const gate = await serve((_, response) =>
      response.writeHead(302, { location: location.replace('PORT', String(port)) }).end(),
    );
    const outbound = new Allowing({ lookUp, allowHosts: [`127.0.0.1:${gate}`] });
    expect(await reasonOf(get(outbound, `http://127.0.0.1:${gate}/`))).toBe(reason);
    expect(connections).toBe(0);
  });

  test('an allowed host is that host at that port and no other', async () => {
    const outbound = new Allowing({
      lookUp,
      allowHosts: ['six.acme.com', '127.0.0.1:1', 'not a host', ''],
    });
    expect((await get(outbound, `http://six.acme.com:${port}/`)).body).toBe('secret');
    expect(connections).toBe(1);
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'mapped.acme.com'])
      expect(await reasonOf(get(outbound, `http://${host}:${port}/`))).toBe('refused_private');
    expect(connections).toBe(1);
  });

  test.each(['127.0.0.1', '::1', '[::1]'])(
    'an allowed address may be named by whatever leads to it: %s',
    async (host) => {
      const outbound = new Allowing({ lookUp, allowHosts: [`${host}`] });
      expect((await get(outbound, `http://localhost:${port}/`)).body).toBe('secret');
    },
  );

  test('a proxy of the environment is not asked', async () => {
    const outbound = new Allowing({ lookUp, allowHosts: ['127.0.0.1'] });
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = 'http://127.0.0.1:1/';
    try {
      expect((await get(outbound, `http://127.0.0.1:${port}/`)).body).toBe('secret');
    } finally {
      delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
  });
});

describe('answers', () => {
  const outbound = new Allowing({ allowHosts: ['127.0.0.1'] });
  const at = (port: number, path = '/'): string => `http://127.0.0.1:${port}${path}`;

  test('an answer says its status, headers and body', async () => {
    const seen: IncomingMessage[] = [];
    const port = await serve((request, response) => {
      seen.push(request);
      response.writeHead(418, { 'x-kind': 'teapot', 'set-cookie': ['a=1', 'b=2'] }).end('short and stout');
    });
    const answer = await get(outbound, {
      address: `http://user:secret@127.0.0.1:${port}/pot?a=1#top`,
      headers: { 'x-mine': 'yes' },
      accept: 'image/*',
    });
    expect(answer).toMatchObject({
      status: 418,
      address: at(port, '/pot?a=1'),
      redirects: [],
      body: 'short and stout',
    });
    expect(answer.headers).toMatchObject({ 'x-kind': 'teapot', 'set-cookie': 'a=1, b=2' });
    expect(seen[0]?.url).toBe('/pot?a=1');
    expect(seen[0]?.headers).toMatchObject({ host: `127.0.0.1:${port}`, accept: 'image/*', 'x-mine': 'yes' });
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
  ])('%s is unpacked', async (coding, pack) => {
    const port = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(pack(Buffer.from('unpacked'))),
    );
    expect((await get(outbound, at(port))).body).toBe('unpacked');
  });

  test('a HEAD has no body, and a POST is sent with its own and not redirected', async () => {
    const port = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () =>
        request.method === 'POST'
          ? response.writeHead(307, { location: '/elsewhere' }).end(`got ${body}`)
          : response.end('body'),
      );
    });
    expect(await get(outbound, { address: at(port), method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    });
    const posted = await get(outbound, { address: at(port), method: 'POST', body: Buffer.from('thing') });
    expect(posted).toMatchObject({ status: 307, body: 'got thing', redirects: [] });
  });

  test('redirects are followed and told, and headers of the caller stay with the host that it named', async () => {
    const other = await serve((request, response) => response.end(String(request.headers['x-secret'])));
    const port = await serve((request, response) => {
      if (request.url === '/') response.writeHead(301, { location: 'next' }).end();
      else if (request.headers['x-secret'] === 'canary')
        response.writeHead(302, { location: Buffer.from(at(other, '/é')).toString('latin1') }).end();
      else response.writeHead(400).end();
    });
    const answer = await get(outbound, { address: at(port), headers: { 'x-secret': 'canary' } });
    expect(answer).toMatchObject({ status: 200, address: at(other, '/%C3%A9'), body: 'undefined' });
    expect(answer.redirects).toEqual([
      { from: at(port), to: at(port, '/next'), status: 301 },
      { from: at(port, '/next'), to: at(other, '/%C3%A9'), status: 302 },
    ]);
  });

  test('five redirects are followed, and the sixth is not', async () => {
    const asked: string[] = [];
    const port = await serve((request, response) => {
      asked.push(request.url ?? '');
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await get(outbound, at(port, '/5'))).toMatchObject({ body: 'there' });
    asked.length = 0;
    expect(await reasonOf(get(outbound, at(port, '/6')))).toBe('too_many_redirects');
    expect(asked).toEqual(['/6', '/5', '/4', '/3', '/2', '/1']);
  });

  test('a host without an answer is tried at its next address', async () => {
    const port = await serve((_, response) => response.end('here'));
    const free = new Allowing({ allowHosts: ['two.acme.com'], lookUp: async () => ['::1', '127.0.0.1'] });
    expect((await get(free, `http://two.acme.com:${port}/`)).body).toBe('here');
  });

  test('nobody listens', async () => {
    const port = await serve(() => undefined);
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
    expect(await reasonOf(get(outbound, at(port)))).toBe('connect_failed');
  });

  test('certificates are looked at: for whom, and by whom', async () => {
    const port = await listen(
      https.createServer(SELF_SIGNED, (_, response) => response.end('safe')),
      '127.0.0.1',
    );
    const settings = { allowHosts: ['127.0.0.1'], lookUp: async () => ['127.0.0.1'] };
    const trusting = new Allowing({ ...settings, ca: SELF_SIGNED.cert });
    expect((await get(trusting, `https://mail.example:${port}/`)).body).toBe('safe');
    expect(await reasonOf(get(trusting, `https://other.example:${port}/`))).toBe('tls_failed');
    expect(await reasonOf(get(trusting, `https://127.0.0.1:${port}/`))).toBe('tls_failed');
    expect(await reasonOf(get(new Allowing(settings), `https://mail.example:${port}/`))).toBe('tls_failed');
    const plain = await serve((_, response) => response.end());
    expect(await reasonOf(get(trusting, `https://mail.example:${plain}/`))).toBe('tls_failed');
  });
});

describe('names', () => {
  /** A DNS server that answers each raw query with `answer`. */
  async function serveNames(answer: (question: Buffer) => Buffer | undefined): Promise<NameServer> {
    const socket = dgram.createSocket('udp4');
    let asked = 0;
    socket.on('message', (question, { port, address }) => {
      asked++;
      const said = answer(question);
      if (said) socket.send(said, port, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    nameServers.push(socket);
    return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked };
  }
  interface NameServer {
    readonly address: string;
    readonly asked: () => number;
  }
  const nameServers: dgram.Socket[] = [];
  afterEach(() => {
    for (const socket of nameServers.splice(0)) socket.close();
  });

  /** The answer that a name does not exist. */
  const unknown = (question: Buffer): Buffer => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    return answer;
  };

  test('what the DNS does not know is asked of the machine itself only where it is allowed', async () => {
    const port = await serve((_, response) => response.end('here'));
    const { address } = await serveNames(unknown);
    const place = `http://localhost:${port}/`;
    const allowing = (allowHosts: string[]) => new Allowing({ allowHosts, dnsServers: [address] });
    expect(await reasonOf(get(allowing([`127.0.0.1:${port}`]), place))).toBe('dns_failed');
    expect(await reasonOf(get(allowing([`localhost:${port}`]), place))).toBe('answered');
  });

  test('names that nobody answers are given up with their requests', async () => {
    const { address, asked } = await serveNames(() => undefined);
    const outbound = new GuardedFetch({ dnsServers: [address] });
    const caller = new AbortController();
    const asks = Array.from({ length: 20 }, (_, index) =>
      reasonOf(get(outbound, { address: `http://n${index}.acme.com/`, milliseconds: 60_000 }, caller.signal)),
    );
    await until('names are asked for', () => asked() > 0);
    caller.abort();
    expect(new Set(await Promise.all(asks))).toEqual(new Set(['aborted']));
  });
});

describe('answers without end', () => {
  const outbound = new Allowing({ allowHosts: ['127.0.0.1'] });
  const at = (port: number): string => `http://127.0.0.1:${port}/`;
  const allClosed = (): Promise<void> => until('every connection is closed', () => sockets.size === 0);
  afterEach(allClosed);

  test('a body of more than a megabyte is read to there', async () => {
    const port = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    let bytes = 0;
    const fetched = outbound.fetch('one', { address: at(port) }, NEVER, async (pieces) => {
      for await (const piece of pieces) bytes += piece.length;
    });
    expect(await reasonOf(fetched)).toBe('too_large');
    expect(bytes).toBe(1_048_576);
    await allClosed();
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('a bomb of %s is unpacked to a megabyte', async (coding, pack) => {
    const bomb = pack(Buffer.alloc(64 * 1_048_576));
    const port = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bomb),
    );
    let bytes = 0;
    const fetched = outbound.fetch('one', { address: at(port) }, NEVER, async (pieces) => {
      for await (const piece of pieces) bytes += piece.length;
    });
    expect(await reasonOf(fetched)).toBe('too_large');
    expect(bytes).toBe(1_048_576);
    await allClosed();
  });

  test('what unpacks to nothing is counted as it is sent', async () => {
    // Empty blocks that are not the last.
    const nothing = Buffer.concat(Array.from({ length: 16_384 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('').subarray(0, 10));
      const more = (): void => {
        while (!response.destroyed && response.write(nothing));
      };
      response.on('drain', more);
      more();
    });
    expect(await reasonOf(get(outbound, at(port)))).toBe('too_large');
    await allClosed();
  });

  test('gzip in gzip, and codings that nobody knows, are not read', async () => {
    for (const coding of ['gzip, gzip', 'zstd', 'constructor']) {
      const port = await serve((_, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end('x'),
      );
      expect(await reasonOf(get(outbound, at(port)))).toBe('bad_answer');
    }
  });

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['drips its headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x')],
    ['drips its body', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x')],
    [
      'drips chunks',
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
    ],
    [
      'promises more than it sends',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
    ],
  ])('a server that %s is given up', async (_, speak) => {
    const port = await serveRaw(speak);
    expect(await reasonOf(get(outbound, { address: at(port), milliseconds: 250 }))).toBe('timeout');
    await allClosed();
  });

  test('where nothing is heard any more it is given up before its time', async () => {
    const silent = { milliseconds: 60_000, mostSilence: 100 };
    for (const speak of [
      () => undefined,
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
    ]) {
      const port = await serveRaw(speak);
      expect(await reasonOf(get(outbound, { address: at(port), ...silent }))).toBe('timeout');
      await allClosed();
    }
  });

  test('redirects share the time', async () => {
    const port = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 150);
    });
    expect(await reasonOf(get(outbound, { address: at(port), milliseconds: 400 }))).toBe('timeout');
  });

  test('a name that is looked up for ever is given up', async () => {
    const slow = new Allowing({ lookUp: () => new Promise(() => undefined) });
    expect(await reasonOf(get(slow, { address: 'http://slow.acme.com/', milliseconds: 50 }))).toBe('timeout');
  });

  test('a server that never completes the handshake is given up', async () => {
    const port = await serveRaw(() => undefined);
    expect(await reasonOf(get(outbound, { address: `https://127.0.0.1:${port}/`, milliseconds: 250 }))).toBe(
      'timeout',
    );
    await allClosed();
  });

  test.each<[string, (socket: Socket) => void]>([
    ['sends headers without end', (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n')],
    [
      'sends one header without end',
      (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nx-long: ', 'x'.repeat(1_000)),
    ],
    ['announces for ever', (socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['speaks no HTTP', (socket) => socket.end('220 mail.acme.com ESMTP\r\n')],
    ['hangs up', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    [
      'changes the protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    [
      'says two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'),
    ],
    ['breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')],
    [
      'sends what is not packed',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nplain'),
    ],
  ])('a server that %s is no server of the web', async (_, speak) => {
    const port = await serveRaw(speak);
    expect(await reasonOf(get(outbound, at(port)))).toBe('bad_answer');
    await allClosed();
  });

  test('whoever asks may stop at any time, and so does the process', async () => {
    const port = await serve((_, response) => response.write('x'));
    const caller = new AbortController();
    const closing = new Allowing({ allowHosts: ['127.0.0.1'] });
    const one = reasonOf(get(outbound, at(port), caller.signal));
    const other = reasonOf(get(closing, at(port)));
    await until('both are connected', () => sockets.size === 2);
    caller.abort();
    closing.close();
    expect(await Promise.all([one, other])).toEqual(['aborted', 'aborted']);
    await allClosed();
    expect(await reasonOf(get(outbound, at(port), caller.signal))).toBe('aborted');
    expect(await reasonOf(get(closing, at(port)))).toBe('aborted');
    expect(sockets.size).toBe(0);
  });
});

describe('kept connections', () => {
  const outbound = new Allowing({ allowHosts: ['127.0.0.1'] });
  afterAll(() => outbound.close());
  let connections = 0;
  const ask = (port: number, more: Partial<OutboundRequest> = {}, owner = 'one') =>
    outbound.fetch(owner, { address: `http://127.0.0.1:${port}/`, isKept: true, ...more }, NEVER, text);
  const served = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    connections = 0;
    return listen(
      http.createServer(answer).on('connection', () => connections++),
      '127.0.0.1',
    );
  };

  test.each<[string, (response: ServerResponse) => void]>([
    ['of a known length', (response) => response.end('same')],
    ['in chunks', (response) => response.write('sa', () => response.end('me'))],
    [
      'that is packed',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('same')),
    ],
  ])('an answer %s leaves its connection to the next', async (_, answer) => {
    const port = await served((_request, response) => answer(response));
    for (let call = 0; call < 5; call++) expect((await ask(port)).body).toBe('same');
    expect(connections).toBe(1);
  });

  test('names are looked up anew for each connection, not for each request', async () => {
    const port = await served((_, response) => response.end('same'));
    const asked: string[] = [];
    const naming = new Allowing({
      allowHosts: [`one.acme.com:${port}`],
      lookUp: async (host) => (asked.push(host), ['127.0.0.1']),
    });
    const named = { address: `http://one.acme.com:${port}/`, isKept: true };
    for (let call = 0; call < 3; call++) await get(naming, named);
    expect(asked).toHaveLength(1);
    // A caller without permission must not reuse the connection of one with permission.
    const none = new AllowedHosts([]);
    const refused = naming.fetch('one', { ...named, allowed: none }, NEVER, text);
    expect(await reasonOf(refused)).toBe('refused_private');
    naming.close();
  });

  test('owners share none, and a POST has its own', async () => {
    const port = await served((_, response) => response.end('same'));
    await ask(port);
    await ask(port, {}, 'two');
    await ask(port, { method: 'POST', body: Buffer.from('x') });
    expect(connections).toBe(3);
  });

  test('what is not read to its end is not kept, nor are redirects and what the server closes', async () => {
    const port = await served((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: '/' }).end('long');
      else if (request.url === '/close') response.writeHead(200, { connection: 'close' }).end();
      else response.end('x'.repeat(100_000));
    });
    const unread = { address: `http://127.0.0.1:${port}/`, isKept: true };
    await outbound.fetch('one', unread, NEVER, async () => null);
    await ask(port, { address: `http://127.0.0.1:${port}/redirect` });
    expect(connections).toBe(3);
    await ask(port, { address: `http://127.0.0.1:${port}/close` });
    await ask(port);
    expect(connections).toBe(4);
    expect(await reasonOf(ask(port, { mostBytes: 10 }))).toBe('too_large');
    await ask(port);
    expect(connections).toBe(5);
  });

  test('a server may say what it likes of how long it keeps one', async () => {
    const port = await served((_, response) =>
      response.writeHead(200, { 'keep-alive': `timeout=${'9'.repeat(400)}` }).end('same'),
    );
    for (let call = 0; call < 3; call++) expect((await ask(port)).body).toBe('same');
    expect(connections).toBe(1);
  });

  test('all end with the process', async () => {
    const port = await served((_, response) => response.end('same'));
    const closing = new Allowing({ allowHosts: ['127.0.0.1'] });
    await get(closing, { address: `http://127.0.0.1:${port}/`, isKept: true });
    const before = sockets.size;
    closing.close();
    await until('it is closed', () => sockets.size === before - 1);
  });
});

describe('bounds of all', () => {
  test('one host is asked by few at a time, and by fewer of one workspace', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const port = await serve((_, response) => {
      most = Math.max(most, held.push(response));
    });
    const outbound = new Allowing({ allowHosts: ['127.0.0.1'] });
    const ask = (owner: string) =>
      outbound.fetch(owner, { address: `http://127.0.0.1:${port}/`, milliseconds: 60_000 }, NEVER, text);
    const first = Array.from({ length: 10 }, () => ask('one'));
    await until('three of one are there', () => held.length === 3);
    const others = ['two', 'three'].flatMap((owner) => Array.from({ length: 5 }, () => ask(owner)));
    await until('six are there', () => held.length === 6);
    let answered = 0;
    const all = Promise.all([...first, ...others].map((each) => each.then(() => answered++)));
    await until(
      'all are answered',
      () => {
        held.shift()?.end('done');
        return answered === 20;
      },
      () => answered,
    );
    await all;
    expect(most).toBe(6);
  });

  test('kinds of work stand in lines of their own', async () => {
    const port = await serve(() => undefined);
    const outbound = new Allowing({ allowHosts: ['127.0.0.1'] });
    const caller = new AbortController();
    const request = { address: `http://127.0.0.1:${port}/`, milliseconds: 60_000 };
    const works = ['inspections', 'calls', 'downloads'] as const;
    const asks = works.flatMap((work) =>
      Array.from({ length: 10 }, () => reasonOf(get(outbound, { ...request, work }, caller.signal))),
    );
    const most = works.reduce((sum, work) => sum + OUTBOUND_BOUNDS[work].host.runningPerOwner, 0);
    await until('each kind has its own', () => sockets.size === most);
    caller.abort();
    expect(new Set(await Promise.all(asks))).toEqual(new Set(['aborted']));
  });

  test('who would wait behind too many, or for too long, hears that it is busy', async () => {
    const port = await serve(() => undefined);
    const tight = { running: 1, runningPerOwner: 1, waiting: 1, waitingPerOwner: 1, maxWaitMs: 50 };
    const outbound = new Allowing({
      allowHosts: ['127.0.0.1'],
      bounds: {
        ...OUTBOUND_BOUNDS,
        inspections: { ...OUTBOUND_BOUNDS.inspections, process: tight },
      },
    });
    const caller = new AbortController();
    const ask = () =>
      reasonOf(get(outbound, { address: `http://127.0.0.1:${port}/`, milliseconds: 60_000 }, caller.signal));
    const first = ask();
    await until('the first is there', () => sockets.size === 1);
    expect(await Promise.all([ask(), ask()])).toEqual(['busy', 'busy']);
    caller.abort();
    expect(await first).toBe('aborted');
  });
});

/** Writes a beginning, and then repeats a piece slowly. */
function drip(socket: Socket, beginning: string, piece: string): void {
  socket.write(beginning);
  const again = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(again));
}

/** Writes a beginning, and then repeats a piece as fast as the client reads. */
function flood(socket: Socket, beginning: string, piece: string): void {
  socket.write(beginning);
  const pieces = piece.repeat(64);
  const more = (): void => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on('drain', more);
  more();
}
