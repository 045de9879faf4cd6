/**
 * Starts the embedded PostgreSQL under a supervisor process. The supervisor outlives the service by a few seconds to
 * shut PostgreSQL down cleanly, even after `kill -9`, and restarts it if it ends unexpectedly.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config.js';

export interface SupervisorRequest {
  readonly dataDir: string;
  /** Server settings that extend or override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

export type SupervisorMessage =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly operatorsError: boolean; readonly message: string }
  | { readonly type: 'restarted'; readonly message: string }
  | { readonly type: 'ended'; readonly message: string };

export interface EmbeddedPostgresOptions extends SupervisorRequest {
  /** The supervisor's program; set only if this file does not run from the build output. */
  readonly supervisorEntry?: URL;
}

export interface EmbeddedPostgres {
  /** Superuser URL of the database `waypost`. */
  readonly url: string;
  /** Process id of the supervisor. */
  readonly supervisorPid: number;
  /** Shuts PostgreSQL down cleanly and waits until it is gone. A second call waits for the first. */
  stop(): Promise<void>;
  /** Calls back with the reason each time that PostgreSQL ended and was restarted, at the same address. */
  onRestart(callback: (reason: string) => void): void;
  /** Calls back once with the reason if PostgreSQL keeps failing, or if its supervisor ends unexpectedly. */
  onExit(callback: (reason: string) => void): void;
}

/** By then the supervisor has ended PostgreSQL, by force if necessary. */
const FORCE_AFTER_MS = 15_000;

/**
 * Starts PostgreSQL on the data directory, as `launchPostgres` does, in a supervisor detached from the terminal.
 * @throws ConfigError in one line if the data directory or the programs are unusable; Error with the end of the
 *   server's log if it does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const {
    supervisorEntry: supervisorEntry = new URL('./postgres-keeper.main.js', import.meta.url),
    ...order
  } = options;
  const supervisor = new PostgresSupervisor(
    spawn(process.execPath, [fileURLToPath(supervisorEntry)], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  return supervisor.start(order);
}

class PostgresSupervisor {
  private stopping = false;
  private exitReason: string | undefined;
  private errorOutput = '';
  private readonly restartListeners: ((reason: string) => void)[] = [];
  private readonly exited: Promise<void>;
  private readonly firstMessage: Promise<SupervisorMessage>;

  constructor(private readonly child: ChildProcess) {
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.errorOutput = (this.errorOutput + text).slice(-2048)));
    // A supervisor that ends early closes the pipe: its exit gives the reason, not the failed write.
    child.stdin?.on('error', (error) => (this.errorOutput ||= error.message));
    let resolveFirst: (answer: SupervisorMessage) => void;
    this.firstMessage = new Promise((resolve) => (resolveFirst = resolve));
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = JSON.parse(line) as SupervisorMessage;
        if (message.type === 'ended') this.exitReason = message.message;
        if (message.type === 'restarted')
          for (const listener of this.restartListeners) listener(message.message);
        resolveFirst(message);
      });
    this.exited = new Promise((resolve) => {
      const finish = (how: string): void => {
        this.exitReason ??= this.errorOutput.trim() || `its supervisor ${how}`;
        resolveFirst({
          type: 'failed',
          operatorsError: false,
          message: `PostgreSQL did not start: ${this.exitReason}`,
        });
        resolve();
      };
      child.once('error', (error) => finish(`cannot run: ${error.message}`));
      child.once('close', (code, signal) =>
        finish(signal ? `terminated by ${signal}` : `exited with code ${code}`),
      );
    });
  }

  async start(request: SupervisorRequest): Promise<EmbeddedPostgres> {
    this.child.stdin?.write(`${JSON.stringify(request)}\n`);
    const message = await this.firstMessage;
    if (message.type !== 'ready') {
      await this.stop();
      throw message.type === 'failed' && message.operatorsError
        ? new ConfigError(message.message)
        : new Error(message.message);
    }
    return {
      url: message.url,
      supervisorPid: this.child.pid ?? 0,
      stop: () => this.stop(),
      onRestart: (callback) => void this.restartListeners.push(callback),
      onExit: (callback) => {
        void this.exited.then(() => {
          if (!this.stopping) callback(this.exitReason ?? '');
        });
      },
    };
  }

  private async stop(): Promise<void> {
    this.stopping = true;
    this.child.stdin?.end();
    const force = setTimeout(() => this.child.kill('SIGKILL'), FORCE_AFTER_MS);
    await this.exited;
    clearTimeout(force);
  }
}
