/** SpamAssassin: the verdicts of a real server, and the result when a server answers badly or not at all. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { MAX_FILTERED_BYTES } from '../../src/modules/inspect/application/spam-filter.port.js';
import { SpamAssassin } from '../../src/modules/inspect/transport/spam-assassin.js';
import { startSpamd, testWithSpamd, type RealSpamd } from './real-spamd.js';

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const messageOf = (body: string): Buffer =>
  Buffer.from(
    'From: Acme <hello@acme.test>\r\nTo: ada@example.com\r\nSubject: Your order\r\nMessage-ID: <1@acme.test>\r\n' +
      `Date: Mon, 02 Mar 2026 09:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n${body}\r\n`,
  );
const never = new AbortController().signal;

let spamd: RealSpamd | undefined;
beforeAll(async () => (spamd = await startSpamd()));
afterAll(() => spamd?.stop());

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

function clientOf(port: number): SpamAssassin {
  return new SpamAssassin({ spamd: { host: '127.0.0.1', port } });
}

/** A server that passes each connection to `serve`. */
async function serverThat(serve: (socket: Socket) => void): Promise<SpamAssassin> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.resume();
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return clientOf((server.address() as AddressInfo).port);
}

testWithSpamd('the test string of all spam filters is spam to a real one, and says why', async () => {
  const verdict = await clientOf(Number(spamd?.port)).judge(messageOf(`Hello\r\n${GTUBE}`), never);
  expect(verdict).toMatchObject({ isSpam: true, threshold: 5 });
  expect(verdict.points).toBeGreaterThan(900);
  const gtube = verdict.rules.find(({ name }) => name === 'GTUBE');
  expect(gtube).toEqual({
    name: 'GTUBE',
    points: 1_000,
    description: expect.stringContaining('Generic Test'),
  });
});

testWithSpamd('a harmless message is none', async () => {
  const verdict = await clientOf(Number(spamd?.port)).judge(
    messageOf('Your order has left. Thank you.'),
    never,
  );
  expect(verdict.isSpam).toBe(false);
  expect(verdict.points).toBeLessThan(5);
});

testWithSpamd('several messages are judged at a time', async () => {
  const client = clientOf(Number(spamd?.port));
  const bodies = [GTUBE, 'Hello', GTUBE, 'Hello'];
  const verdicts = await Promise.all(bodies.map((body) => client.judge(messageOf(body), never)));
  expect(verdicts.map(({ isSpam }) => isSpam)).toEqual([true, false, true, false]);
});

test.each<[string, (socket: Socket) => void, RegExp]>([
  ['hangs up', (socket) => socket.end(), /^SpamAssassin closed the connection without an answer\.$/],
  [
    'breaks off',
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    /^SpamAssassin dropped the connection \(ECONNRESET\)\.$/,
  ],
  [
    'talks of other things',
    (socket) => socket.end('220 mail.example ESMTP\r\n'),
    /its answer cannot be read\.$/,
  ],
  [
    'stops in the middle',
    (socket) => socket.end('SPAMD/1.1 0 EX_OK\r\nContent-length: 90\r\nSpam: False ; 0 / 5\r\n\r\nx'),
    /its answer cannot be read\.$/,
  ],
  ['refuses', (socket) => socket.end('SPAMD/1.0 75 EX_TEMPFAIL\r\n\r\n'), /it answered EX_TEMPFAIL\.$/],
  [
    'answers 10 MB',
    (socket) => socket.end(Buffer.alloc(10_000_000, 'x')),
    /^SpamAssassin answered with more than 262144 bytes\.$/,
  ],
])('one that %s gives no verdict, in words', async (_, serve, words) => {
  const client = await serverThat(serve);
  await expect(client.judge(messageOf('Hello'), never)).rejects.toThrow(words);
});

/** Sends one byte at a time while the connection is open. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('S'), 5);
  socket.on('close', () => clearInterval(timer));
}

test('one that drips for ever is given up when the time is over', async () => {
  const client = await serverThat(drip);
  await expect(client.judge(messageOf('Hello'), never, 200)).rejects.toThrow(
    /^SpamAssassin did not answer within 0\.2 seconds\.$/,
  );
});

test('a run that is given up ends at once, with its own reason and its connection', async () => {
  const run = new AbortController();
  let closed: Promise<unknown> = Promise.resolve();
  const client = await serverThat((socket) => {
    closed = new Promise((resolve) => socket.on('close', resolve));
    drip(socket);
    socket.once('data', () => run.abort(new Error('The process ends.')));
  });
  await expect(client.judge(messageOf('Hello'), run.signal)).rejects.toThrow('The process ends.');
  await closed;
  await expect(client.judge(messageOf('Hello'), run.signal)).rejects.toThrow('The process ends.');
});

test('one that is not there, is not set, or would be given too much', async () => {
  const gone = await serverThat(() => undefined);
  closers.pop()?.();
  await expect(gone.judge(messageOf('Hello'), never)).rejects.toThrow(
    /cannot be reached \(ECONNREFUSED\)\.$/,
  );
  const unset = new SpamAssassin({ spamd: undefined });
  await expect(unset.judge(messageOf('Hello'), never)).rejects.toThrow(/SPAMD_URL is not set/);
  const large = messageOf('x'.repeat(MAX_FILTERED_BYTES));
  await expect(gone.judge(large, never)).rejects.toThrow(/the limit is 512000\.$/);
});
