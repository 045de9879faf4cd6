/** A real spamd for tests, with local rules only: it sends no network queries. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { figure } from '../support/figure.js';

const PROGRAM = '/usr/sbin/spamd';
const isThere = existsSync(PROGRAM);
const isRequired = process.env['TEST_SPAMD'] === 'required';

/** `test`, or `test.skip` on a machine without spamd. */
export const testWithSpamd = isThere || isRequired ? test : test.skip;
if (!isThere) figure(`NO SPAMD HERE (${PROGRAM}): the tests of SpamAssassin are SKIPPED.`);

export interface RealSpamd {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Undefined where this machine has no spamd.
 * @throws Error where TEST_SPAMD=required and there is none.
 */
export async function startSpamd(): Promise<RealSpamd | undefined> {
  if (!isThere && isRequired) throw new Error(`No ${PROGRAM}, and TEST_SPAMD=required.`);
  if (!isThere) return undefined;
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    PROGRAM,
    [
      ...[
        '--nouser-config',
        '--local',
        '--syslog=stderr',
        '--max-children=1',
        '--min-spare=1',
        '--max-spare=1',
      ],
      ...['--port', `${port}`, '--listen', '127.0.0.1', ...(isRoot ? ['--username', 'nobody'] : [])],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await started(child);
  return { port, stop: () => stop(child) };
}

/**
 * Waits until spamd listens.
 * @throws Error with its output if it ends before that.
 */
async function started(child: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
      if (/server started/.test(said)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`spamd does not start: ${said}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
