/**
 * A process also exits when no reader takes its log any more: it writes the last lines if possible, and drops them
 * otherwise.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '../support/until.js';

const RUN_MAIN = join(import.meta.dirname, '..', '..', 'dist', 'processes', 'run-main.js');
/** The script writes its last lines when it gets the signal to stop. */
const SCRIPT = `
  const { runMain } = await import(${JSON.stringify(RUN_MAIN)});
  await runMain('test', async ({ logger, atEnd }) => {
    const staying = setInterval(() => undefined, 1_000);
    atEnd(() => clearInterval(staying));
    atEnd(() => { for (let line = 1; line <= 500; line++) logger.info({ line, filler: 'x'.repeat(1_000) }, 'Last words'); });
    process.stdout.write('ready');
  });`;

const running: ChildProcess[] = [];
afterAll(() => running.forEach((child) => child.kill('SIGKILL')));

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

test('all of them are read by whoever reads', async () => {
  const child = await start();
  if (!child.stderr) throw new Error('Nothing is piped.');
  const log = text(child.stderr);
  child.kill('SIGTERM');
  const lines = (await log).trimEnd().split('\n');
  const words = lines.map((line) => JSON.parse(line) as { msg: string; line?: number });
  expect(words.map(({ msg, line }) => line ?? msg)).toEqual([
    'Starting',
    'Stopping',
    ...Array.from({ length: 500 }, (_, index) => index + 1),
    'Stopped',
  ]);
  await until('it has ended', () => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
});

test.each(['gone', 'silent'])('a reader that is %s holds nobody up', async (reader) => {
  const child = await start();
  if (reader === 'gone') child.stderr?.destroy();
  else child.stderr?.pause();
  child.kill('SIGTERM');
  await until('it has ended', () => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
});
