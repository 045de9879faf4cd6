/** A service started by npm stops with npm, whichever signal npm gets, and reports it in its log. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { freePort, isAlive, kill, treeOf } from '../support/service-process.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '..', '..');

let dataDir: string;
let database: TestDatabase;
let sink: MailSink;
const started: number[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-npm-start-'));
  [database, sink] = await Promise.all([createTestDatabase(), MailSink.start()]);
});
afterAll(async () => {
  for (const pid of started) kill(pid, 'SIGKILL');
  await sink.stop();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Running {
  readonly npm: ChildProcess;
  /** Output so far. */
  readonly output: () => string;
  /** All processes of the service, without npm. */
  readonly service: readonly number[];
}

async function run(script: string, ready: string): Promise<Running> {
  const npm = spawn('npm', ['run', script], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      DATABASE_URL: database.adminUrl,
      SMTP_URL: sink.url,
      PORT: String(await freePort()),
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(
    `npm run ${script} is ready`,
    () => {
      if (npm.exitCode !== null) throw new Error(`It ended with ${npm.exitCode}:\n${output}`);
      return output.includes(ready);
    },
    () => output.length,
  );
  const service = treeOf(npm.pid ?? -1).slice(1);
  started.push(...service);
  return { npm, output: () => output, service };
}

test.each([
  ['start', 'Waypost is ready', 'SIGTERM'],
  ['start:api', 'The API is ready', 'SIGINT'],
  ['start:worker', 'The worker is ready', 'SIGTERM'],
] as const)('npm run %s: %s until npm gets %s', async (script, ready, signal) => {
  const { npm, output, service } = await run(script, ready);
  npm.kill(signal);
  // npm waits for the service, so no process is left when npm has exited.
  expect(await once(npm, 'exit')).toEqual([0, null]);
  expect(service.filter(isAlive)).toEqual([]);
  await until('its words are read', () => output().includes('Stopped'));
  const words = output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string; signal?: string; ms?: number });
  expect(words).toContainEqual(expect.objectContaining({ msg: 'Stopping', signal }));
  expect(words.at(-1)).toMatchObject({ msg: 'Stopped', ms: expect.any(Number) });
});

test.each(['SIGHUP', 'SIGKILL'] as const)(
  '%s, which npm does not pass on, ends the service too',
  async (signal) => {
    const { npm, output, service } = await run('start:worker', 'The worker is ready');
    npm.kill(signal);
    await until('the service has ended', () => !service.some(isAlive));
    expect(output()).toContain('"msg":"Stopping"');
  },
);
