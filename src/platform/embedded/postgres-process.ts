/**
 * A running PostgreSQL server process and its shutdown: with increasingly strong signals, so that it is gone within ten
 * seconds. PostgreSQL recovers from a forced shutdown at the next start; no committed row is lost.
 */
import type { ChildProcess } from 'node:child_process';

const QUIT_AFTER_MS = 6_000;
const KILL_AFTER_MS = 9_000;

export class PostgresProcess {
  /** Resolves with how it ended; never rejects. */
  readonly exited: Promise<string>;
  private ended = false;
  private readonly endWithParent = (): void => void this.child.kill('SIGINT');

  constructor(private readonly child: ChildProcess) {
    process.once('exit', this.endWithParent);
    this.exited = new Promise((resolve) => {
      const finish = (how: string): void => {
        this.ended = true;
        process.removeListener('exit', this.endWithParent);
        resolve(how);
      };
      child.once('error', (error) => finish(error.message));
      child.once('exit', (code, signal) =>
        finish(signal === null ? `exit code ${code}` : `terminated by ${signal}`),
      );
    });
  }

  get running(): boolean {
    return !this.ended;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    const quit = setTimeout(() => this.child.kill('SIGQUIT'), QUIT_AFTER_MS);
    const kill = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    this.child.kill('SIGINT');
    await this.exited;
    clearTimeout(quit);
    clearTimeout(kill);
  }
}
