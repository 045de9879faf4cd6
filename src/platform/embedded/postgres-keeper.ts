/**
 * Starts the embedded PostgreSQL under a supervisor process. The supervisor outlives the service by a few seconds to
 * shut PostgreSQL down cleanly, even after `kill -9`, and restarts it if it ends unexpectedly.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config.js';

export interface KeeperOrder {
  readonly dataDir: string;
  /** Server settings that extend or override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

export type KeeperAnswer =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly operatorsError: boolean; readonly message: string }
  | { readonly type: 'restarted'; readonly message: string }
  | { readonly type: 'ended'; readonly message: string };

export interface EmbeddedPostgresOptions extends KeeperOrder {
  /** The supervisor's program; set only if this file does not run from the build output. */
  readonly keeperEntry?: URL;
}

export interface EmbeddedPostgres {
  /** Superuser URL of the database `waypost`. */
  readonly url: string;
  /** Process id of the supervisor. */
  readonly keeperPid: number;
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
  const { keeperEntry = new URL('./postgres-keeper.main.js', import.meta.url), ...order } = options;
  const keeper = new Keeper(
    spawn(process.execPath, [fileURLToPath(keeperEntry)], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  return keeper.start(order);
}

class Keeper {
  private stopping = false;
  private whyEnded: string | undefined;
  private complaint = '';
  private readonly restartsHeard: ((reason: string) => void)[] = [];
  private readonly gone: Promise<void>;
  private readonly firstAnswer: Promise<KeeperAnswer>;

  constructor(private readonly child: ChildProcess) {
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.complaint = (this.complaint + text).slice(-2048)));
    // A supervisor that ends early closes the pipe: its exit gives the reason, not the failed write.
    child.stdin?.on('error', (error) => (this.complaint ||= error.message));
    let tell: (answer: KeeperAnswer) => void;
    this.firstAnswer = new Promise((resolve) => (tell = resolve));
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const answer = JSON.parse(line) as KeeperAnswer;
        if (answer.type === 'ended') this.whyEnded = answer.message;
        if (answer.type === 'restarted') for (const hear of this.restartsHeard) hear(answer.message);
        tell(answer);
      });
    this.gone = new Promise((resolve) => {
      const finish = (how: string): void => {
        this.whyEnded ??= this.complaint.trim() || `its supervisor ${how}`;
        tell({
          type: 'failed',
          operatorsError: false,
          message: `PostgreSQL did not start: ${this.whyEnded}`,
        });
        resolve();
      };
      child.once('error', (error) => finish(`cannot run: ${error.message}`));
      child.once('close', (code, signal) =>
        finish(signal ? `terminated by ${signal}` : `exited with code ${code}`),
      );
    });
  }

  async start(order: KeeperOrder): Promise<EmbeddedPostgres> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    const answer = await this.firstAnswer;
    if (answer.type !== 'ready') {
      await this.stop();
      throw answer.type === 'failed' && answer.operatorsError
        ? new ConfigError(answer.message)
        : new Error(answer.message);
    }
    return {
      url: answer.url,
      keeperPid: this.child.pid ?? 0,
      stop: () => this.stop(),
      onRestart: (callback) => void this.restartsHeard.push(callback),
      onExit: (callback) => {
        void this.gone.then(() => {
          if (!this.stopping) callback(this.whyEnded ?? '');
        });
      },
    };
  }

  private async stop(): Promise<void> {
    this.stopping = true;
    this.child.stdin?.end();
    const force = setTimeout(() => this.child.kill('SIGKILL'), FORCE_AFTER_MS);
    await this.gone;
    clearTimeout(force);
  }
}
