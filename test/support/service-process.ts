/** Runs the built service as real processes, for tests that kill them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { LONG_WAIT_MS, until } from './until.js';

const ENTRIES = process.env['TEST_PROCESSES'] ?? join(import.meta.dirname, '..', '..', 'dist', 'processes');

export class ServiceProcess {
  /** Output so far, on both streams. */
  output = '';
  /** The part of it from standard error. */
  errors = '';
  private ended: { code: number | null; signal: NodeJS.Signals | null } | undefined;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
      this.errors += chunk.toString();
    });
    child.once('exit', (code, signal) => (this.ended = { code, signal }));
  }

  /** Starts a process of the service: up, api, worker or cli. */
  static start(name: string, env: Record<string, string>, args: readonly string[] = []): ServiceProcess {
    const child = spawn(process.execPath, [join(ENTRIES, `${name}.main.js`), ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        LOG_LEVEL: 'warn',
        ...(env['NODE_ENV'] === 'production' ? {} : { DATABASE_WAIT_MS: LONG_WAIT_MS }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child);
  }

  /** Whether its entire output has been read after its exit. */
  get isRead(): boolean {
    return this.child.stdout?.readableEnded === true && this.child.stderr?.readableEnded === true;
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get exit(): { code: number | null; signal: NodeJS.Signals | null } | undefined {
    return this.ended;
  }

  /** Runs the operator's command line to its end and returns its output. */
  static async cli(env: Record<string, string>, args: readonly string[]): Promise<unknown> {
    const cli = ServiceProcess.start('cli', { ...env, LOG_LEVEL: 'silent' }, args);
    const { code } = await cli.gone();
    if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${code}:\n${cli.output}`);
    return JSON.parse(cli.output);
  }

  /** Waits until the process has written the text. */
  async wrote(text: string): Promise<this> {
    await until(
      `the process writes "${text}"`,
      () => {
        if (this.ended) throw new Error(`The process ended (${JSON.stringify(this.ended)}):\n${this.output}`);
        return this.output.includes(text);
      },
      () => this.output.length,
    );
    return this;
  }

  /** Waits until /health/ready answers 200. */
  async ready(url: string): Promise<this> {
    await until(
      `${url} is ready`,
      async () => {
        if (this.ended) throw new Error(`The process ended (${JSON.stringify(this.ended)}):\n${this.output}`);
        return fetch(`${url}/health/ready`).then(
          (answer) => answer.status === 200,
          () => false,
        );
      },
      () => this.output.length,
    );
    return this;
  }

  /** Kills the process and all its descendants with SIGKILL. */
  async killTree(): Promise<void> {
    for (const pid of treeOf(this.pid)) kill(pid, 'SIGKILL');
    await this.gone();
  }

  /** Asks the process to stop, and waits for its exit. */
  async stop(
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    if (!this.ended) this.child.kill(signal);
    return this.gone();
  }

  async gone(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    await until('the process has ended', () => this.ended !== undefined);
    return this.ended ?? { code: null, signal: null };
  }
}

/** A process and all its descendants, from the process table. */
export function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(Number(entry));
    if (parent !== undefined) parents.set(Number(entry), parent);
  }
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The process ended during the scan.
    return undefined;
  }
}

/** Whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] !== 'Z';
  } catch {
    return false;
  }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Below the ephemeral ports that the system assigns. */
const FIRST_PORT = 10_000;
const PORTS_OF_A_PROCESS = 100;
const PROCESSES = 200;
let lastPort = 0;

/**
 * Returns a free port that stays free until the test listens on it: each test process has its own range, outside the
 * range that the system assigns from.
 */
export async function freePort(): Promise<number> {
  const base = FIRST_PORT + (process.pid % PROCESSES) * PORTS_OF_A_PROCESS;
  for (;;) {
    lastPort = (lastPort + 1) % PORTS_OF_A_PROCESS;
    if (await canListen(base + lastPort)) return base + lastPort;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}
