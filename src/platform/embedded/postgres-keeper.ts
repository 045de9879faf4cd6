/**
 * Starts the embedded PostgreSQL under its keeper, a process of its own that outlives the service by the few
 * seconds it takes to shut PostgreSQL down in order, even after `kill -9`, and starts it anew when somebody else has ended it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config.js';

export interface KeeperOrder {
  readonly dataDir: string;
  /** Server settings beyond, or instead of, the house's own. */
  readonly settings?: Readonly<Record<string, string>>;
}

export type KeeperAnswer =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly operatorsError: boolean; readonly message: string }
  | { readonly type: 'restarted'; readonly message: string }
  | { readonly type: 'ended'; readonly message: string };

export interface EmbeddedPostgresOptions extends KeeperOrder {
  /** The keeper's program; given only where this file does not run from its built form. */
  readonly keeperEntry?: URL;
}

export interface EmbeddedPostgres {
  /** Superuser's address of the database `waypost`. */
  readonly url: string;
  /** Process number of the keeper. */
  readonly keeperPid: number;
  /** Shuts PostgreSQL down in order and waits until it is gone. A second call waits for the first. */
  stop(): Promise<void>;
  /** Calls back with how PostgreSQL ended, each time that it was started anew, at the same address. */
  onRestart(callback: (reason: string) => void): void;
  /** Calls back once with the reason when PostgreSQL does not stay up, or its keeper ends without having been asked to. */
  onExit(callback: (reason: string) => void): void;
}

/** The keeper has ended PostgreSQL, by force at last, before this is over. */
const FORCE_AFTER_MS = 15_000;

/**
 * Starts PostgreSQL on the data directory, as `launchPostgres` does, in a keeper apart from the terminal.
 * @throws ConfigError in one line when the data directory or the programs cannot be used; Error with the server's
 *   last words when it does not come up.
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
    // A keeper that ends early closes the pipe: its exit tells the reason, not the failed write.
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
