/**
 * A process's sign of life in the database: a session-level advisory lock on a number of its own. Rows that a
 * process is working on carry the number; when nobody holds its lock any more, the process is gone and others may
 * take the rows over at once, without waiting for a lease to run out.
 */
import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import pg from 'pg';

const LOCK_SPACE = 7_288;
const RETRY_MILLISECONDS = 250;

export class Presence {
  private client: pg.Client | undefined;
  private held: number | undefined;
  private opening: Promise<number> | undefined;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {}

  /**
   * The number this process is present under. Changes when the connection that held the lock was lost, since from
   * then on others may think the process gone.
   */
  async number(): Promise<number> {
    if (this.held !== undefined) return this.held;
    return (this.opening ??= this.open().finally(() => (this.opening = undefined)));
  }

  /** SQL that is true when nobody holds the lock of the number that `expression` gives. */
  static isGone(expression: string): string {
    return `NOT EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${LOCK_SPACE}
      AND l.objid = (${expression})::bigint::oid AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.held = undefined;
    await this.client?.end();
  }

  private async open(): Promise<number> {
    for (;;) {
      if (this.closed) throw new Error('The process is shutting down.');
      const client = new pg.Client({
        connectionString: this.url,
        keepAlive: true,
        application_name: 'waypost-presence',
      });
      try {
        const number = randomInt(1, 2_147_483_647);
        client.on('error', (error) => {
          this.logger.warn({ err: error }, 'The presence connection was lost');
          if (this.client === client) this.held = undefined;
        });
        client.on('end', () => {
          if (this.client === client) this.held = undefined;
        });
        await client.connect();
        await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, number]);
        this.client = client;
        this.held = number;
        return number;
      } catch (error) {
        this.logger.warn({ err: error }, 'No presence in the database yet');
        await client
          .end()
          .catch((end: unknown) => this.logger.debug({ err: end }, 'Closing a failed connection'));
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
      }
    }
  }
}
