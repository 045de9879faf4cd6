/** Tests a provider's API against a real HTTP server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { SELF_SIGNED } from '../../../../test/support/self-signed.js';
import { TransportFailure, type OutgoingMail } from '../application/mail-transport.port.js';
import { HttpTransport, type HttpTimeouts } from './http.transport.js';

interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

const MAIL: OutgoingMail = {
  envelope: { from: 'bounces@mail.example', to: 'ada@example.com' },
  messageId: '<1@mail.example>',
  raw: Buffer.from('DKIM-Signature: v=1\r\nMessage-ID: <1@mail.example>\r\n\r\n.\r\nHello\r\n'),
};

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

type Answer = (response: ServerResponse, socket: Socket) => void;

async function provider(answer: Answer, secure = false): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      seen.push({ method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
      answer(response, request.socket);
    });
  };
  const server = secure ? createSecureServer(SELF_SIGNED, listener) : createServer(listener);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listen(server), seen };
}

function open(port: number, timeouts?: HttpTimeouts, scheme = 'http'): HttpTransport {
  const url = `${scheme}://127.0.0.1:${port}/v1/send_raw`;
  const transport = new HttpTransport(
    { kind: 'http', name: 'api', url, key: 'sec/ret', connections: 2 },
    undefined,
    timeouts,
  );
  closers.push(() => transport.close());
  return transport;
}

const failureOf = (sending: Promise<void>): Promise<TransportFailure> =>
  sending.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: unknown) => (error instanceof TransportFailure ? error : Promise.reject(error as Error)),
  );

const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body);

test('the message goes as it was signed, with its envelope, the key, and a name that repetitions share', async () => {
  const { port, seen } = await provider(status(202, {}, '{"success":true}'));
  const transport = open(port);
  await transport.send(MAIL);
  await transport.send(MAIL);
  expect(seen).toHaveLength(2);
  for (const request of seen)
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/send_raw',
      headers: {
        authorization: 'Bearer sec/ret',
        'content-type': 'application/json',
        'idempotency-key': '1@mail.example',
      },
      body: {
        from: 'bounces@mail.example',
        recipients: ['ada@example.com'],
        mime_message: MAIL.raw.toString(),
      },
    });
});

test.each([
  [
    status(422, {}, '{"errors":[{"message":"no such sender"}]}'),
    { kind: 'permanent', detail: '422 no such sender' },
  ],
  [status(429, { 'retry-after': '7' }), { kind: 'unreachable', detail: '429', pause: 7_000 }],
  [status(401), { kind: 'unreachable', detail: '401' }],
  [status(307, { location: 'http://127.0.0.1:1/elsewhere' }), { kind: 'unreachable', detail: '307' }],
  [status(500), { kind: 'unknown_fate', detail: '500' }],
] as const)('answer %#', async (answer, failed) => {
  const { port, seen } = await provider(answer);
  expect((await failureOf(open(port).send(MAIL))).failed).toEqual(failed);
  expect(seen).toHaveLength(1);
});

describe('connections', () => {
  test('nobody there: nothing has left', async () => {
    const { port } = await provider(status(200));
    for (const close of closers.splice(0)) close();
    expect((await failureOf(open(port).send(MAIL))).failed.kind).toBe('unreachable');
  });

  test('broken after the body: of unknown fate', async () => {
    const { port, seen } = await provider((_response, socket) => void socket.destroy());
    expect((await failureOf(open(port).send(MAIL))).failed.kind).toBe('unknown_fate');
    expect(seen).toHaveLength(1);
  });

  test('no answer in time: of unknown fate', async () => {
    const { port } = await provider(() => undefined);
    const transport = open(port, { connectMs: 1_000, attemptMs: 200 });
    expect((await failureOf(transport.send(MAIL))).failed.kind).toBe('unknown_fate');
  });

  test('an answer whose body never ends counts by its status, and is not read on', async () => {
    const { port } = await provider((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        response.once('drain', more);
      };
      more();
    });
    await open(port).send(MAIL);
    const silent = await provider((response) => void response.writeHead(200).write('{'));
    await open(silent.port, { connectMs: 1_000, attemptMs: 300 }).send(MAIL);
  });

  test('TLS that does not come about in time: nothing has left', async () => {
    const server = createTcpServer((socket) => void socket.on('error', () => undefined));
    closers.push(() => server.close());
    const transport = open(await listen(server), { connectMs: 200, attemptMs: 5_000 }, 'https');
    expect((await failureOf(transport.send(MAIL))).failed.kind).toBe('unreachable');
  });

  test('a certificate that nobody signed: nothing has left', async () => {
    const { port, seen } = await provider(status(200), true);
    expect((await failureOf(open(port, undefined, 'https').send(MAIL))).failed.kind).toBe('unreachable');
    expect(seen).toEqual([]);
  });

  test('what is given up before its turn has not left', async () => {
    const { port } = await provider(() => undefined);
    const transport = open(port);
    const impatience = new AbortController();
    const first = [transport.send(MAIL), transport.send(MAIL)].map((sending) => failureOf(sending));
    const third = failureOf(transport.send(MAIL, impatience.signal));
    impatience.abort();
    expect((await third).failed.kind).toBe('unreachable');
    transport.close();
    await Promise.all(first);
  });
});
