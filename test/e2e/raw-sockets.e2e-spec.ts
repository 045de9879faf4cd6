/**
 * The whole service as one process, and clients that write arbitrary bytes to every port on which it listens:
 * afterwards it answers as before. An unexpected error shuts it down cleanly, with a reason.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { BY_HAND, type Conversation, variations } from '../support/hostile-bytes.js';
import { listenersOf } from '../support/listeners.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { runs } from '../support/test-scope.js';
import { until } from '../support/until.js';

const SEED = 20_261_122;
const VARIATIONS = runs(400);
const AT_ONCE = 16;

let dataDir: string;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-sockets-'));
  database = await createTestDatabase();
  env = {
    PORT: String(await freePort()),
    MAILBOX_PORT: String(await freePort()),
    DATA_DIR: dataDir,
    DATABASE_URL: database.adminUrl,
  };
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Runs one conversation until the server closes it, however it answers and however long it takes: only then have all
 * bytes taken effect.
 */
async function hold(port: number, { chunks, end }: Conversation): Promise<void> {
  let closed = false;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
    for (const chunk of chunks) socket.write(chunk);
    if (end === 'cut') socket.destroySoon();
    else socket.end();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => (closed = true));
  socket.resume();
  await until(
    'the conversation is over',
    () => closed,
    () => socket.bytesRead,
  );
}

async function attack(port: number, conversations: readonly Conversation[]): Promise<void> {
  const waiting = [...conversations];
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await hold(port, next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

test('every listener answers after every sequence of bytes as it did before', async () => {
  const service = ServiceProcess.start('up', env);
  try {
    const url = `http://127.0.0.1:${env['PORT']}`;
    const mailbox = `http://127.0.0.1:${env['MAILBOX_PORT']}`;
    await service.ready(url);
    const ports = listenersOf(service.pid).map(({ port }) => port);
    const smtp = ports.find((port) => ![env['PORT'], env['MAILBOX_PORT']].includes(String(port))) ?? 0;
    // The API, the mailbox's web page, and the mailbox's SMTP server.
    expect(ports).toHaveLength(3);
    for (const port of ports) await attack(port, [...BY_HAND, ...variations(SEED, VARIATIONS)]);

    expect(service.exit).toBeUndefined();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    const transport = createTransport({ host: '127.0.0.1', port: smtp });
    await transport.sendMail({ from: 'a@b.c', to: 'after@example.com', subject: 'afterwards', text: 'x' });
    transport.close();
    const kept = (await (await fetch(`${mailbox}/api/messages?search=afterwards`)).json()) as object[];
    expect(kept).toHaveLength(1);
    const faults = service.errors
      .split('\n')
      .filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 50);
    expect(faults).toEqual([]);
  } finally {
    await service.stop();
  }
});

test.each([
  ['an exception that nobody caught', "throw new Error('of the dark')"],
  ['a promise that nobody awaited', "void Promise.reject(new Error('of the dark'))"],
])('%s: what was begun is answered, one line says why, exit code 1', async (_name, fault) => {
  const preload = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${fault} })`)}`;
  const service = ServiceProcess.start('up', { ...env, NODE_OPTIONS: `--import=${preload}` });
  try {
    await service.ready(`http://127.0.0.1:${env['PORT']}`);
    const socket = connect(Number(env['PORT']), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(
      'POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{',
    );
    await until('the request has begun', () => socket.bytesWritten > 0);
    // An answer on a later connection proves that the earlier one was read.
    await fetch(`http://127.0.0.1:${env['PORT']}/health/live`);
    service.child.kill('SIGUSR2');
    await until('it has said why', () => service.errors.includes('of the dark'));
    socket.end('}');
    expect(await service.gone()).toEqual({ code: 1, signal: null });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*"request_id"/);
    const said = service.errors.split('\n').filter((line) => line.includes('of the dark'));
    expect(said).toHaveLength(1);
    expect(JSON.parse(said[0] ?? '')).toMatchObject({
      level: 60,
      err: { type: 'Error', stack: expect.any(String) },
    });
  } finally {
    await service.stop();
  }
});

test('HOST moves the API and leaves the mailbox on loopback', async () => {
  const service = ServiceProcess.start('up', { ...env, HOST: '0.0.0.0' });
  try {
    await service.ready(`http://127.0.0.1:${env['PORT']}`);
    const beyond = listenersOf(service.pid).filter(({ address }) => address !== '127.0.0.1');
    expect(beyond).toEqual([{ address: '0.0.0.0', port: Number(env['PORT']) }]);
  } finally {
    await service.stop();
  }
});
