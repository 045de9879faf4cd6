/** Starts a Redis server for one test, which the test can empty and kill. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from './service-process.js';
import { until } from './until.js';

/** The Redis program; undefined if the test command found none, which skips the tests that need it. */
const PROGRAM = process.env['TEST_REDIS_URL']
  ? ['redis-server', 'valkey-server'].find(isInstalled)
  : undefined;

export const HAS_REDIS = PROGRAM !== undefined;

export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Starts a server without persistence. @param folder its working directory. */
  static async start(folder: string): Promise<RedisServer> {
    const server = new RedisServer(folder, await freePort());
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again on the same port, empty. */
  async restart(): Promise<void> {
    const settings = {
      bind: '127.0.0.1',
      port: String(this.port),
      save: '',
      appendonly: 'no',
      dir: this.folder,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    this.child = spawn(PROGRAM ?? '', flags, { stdio: 'ignore' });
    await until('Redis answers', () => this.answers());
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).once('error', () => resolve(false));
    });
  }
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
