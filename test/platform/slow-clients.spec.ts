/**
 * Clients that occupy a listener because they are slow, silent or numerous are disconnected, and other clients are
 * served.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CONNECTION_LIMITS } from '../../src/platform/network/connection-limits.js';
import { startHttpApp, type TestHttpApp } from './http-app/http-app.js';
import { until } from '../support/until.js';

const MOST_OF_ADDRESS = 4;

let http: TestHttpApp;

beforeAll(async () => {
  http = await startHttpApp({
    bounds: {
      ...CONNECTION_LIMITS,
      headersMs: 200,
      requestMs: 400,
      checkEveryMs: 50,
      idleMs: 1_000,
      maxPerAddress: MOST_OF_ADDRESS,
    },
  });
});
afterAll(async () => {
  await http.close();
});

async function open(): Promise<Socket> {
  const socket = connect(http.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All data that arrives until the other side closes the connection. */
async function receivedText(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

test.each([
  ['says nothing', ''],
  ['stops within its headers', 'GET / HTTP/1.1\r\nHost: local'],
  [
    'stops within its body',
    'POST /v1/samples HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
])('who %s is cut off with 408', async (_what, bytes) => {
  const socket = await open();
  socket.write(bytes);
  expect(await receivedText(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

const UPLOAD =
  'POST /v1/uploads HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\n';

test('who uploads a file may take longer, as long as something comes', async () => {
  const socket = await open();
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="C:\\people.csv"\r\n\r\n';
  const tail = '\r\n--b--\r\n';
  const drips = 40;
  socket.write(`${UPLOAD}Content-Length: ${head.length + drips + tail.length}\r\n\r\n${head}`);
  let dripped = 0;
  const drip = setInterval(() => {
    socket.write(dripped++ < drips ? 'x' : tail);
    if (dripped > drips) clearInterval(drip);
  }, 20);
  expect(await receivedText(socket)).toMatch(/^HTTP\/1\.1 201 [^]*\{"name":"people\.csv","size":40\}$/);
});

test('who sends header after header for ever is cut off', async () => {
  const socket = await open();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
  const drip = setInterval(() => socket.write('X: y\r\n'), 20);
  expect(await receivedText(socket)).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(drip);
});

test('who asks and never reads is cut off', async () => {
  const socket = await open();
  socket.pause();
  // More answers than the buffers of both sides hold.
  for (let i = 0; i < 400; i++) socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const server = http.app.getHttpServer();
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  expect(await connections()).toBe(1);
  await until('it is cut off', async () => (await connections()) === 0);
  socket.destroy();
});

test('an address has so many connections, and may have another when one has ended', async () => {
  const busy = await Promise.all(Array.from({ length: MOST_OF_ADDRESS }, open));
  const beyond = await open();
  expect(await receivedText(beyond)).toBe('');
  busy[0]?.destroy();
  let answer = '';
  while (answer === '') {
    const next = await open();
    next.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    answer = await receivedText(next);
  }
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of busy) socket.destroy();
});
