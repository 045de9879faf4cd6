/**
 * The lease of a process: a session-level advisory lock on a unique number. Rows that a process has claimed carry its
 * number. If no session holds the lock, the process is gone and others may take its rows over immediately, without
 * waiting for a timeout. A process deregisters on a clean exit. If a number remains registered without its lock, its
 * process has crashed, and the other processes treat that as a recent crash for a while.
 */
import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import pg from 'pg';
import type { QueryResultRow } from 'pg';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { runStatementOn } from './single-statement.js';

const LOCK_CLASS_ID = 7_288;
const RETRY_DELAY_MS = 250;
/** Milliseconds of real time between two checks for expired processes. */
const EXPIRY_CHECK_INTERVAL_MS = 2_000;
/** How long a crash is remembered, in real time. Longer than any supervisor waits before it restarts a process. */
const CRASH_RETENTION = '15 minutes';

const REGISTER_SQL = `INSERT INTO process_lives (number) VALUES ($1) ON CONFLICT (number) DO UPDATE SET ended_at = NULL`;

const DEREGISTER_SQL = `DELETE FROM process_lives WHERE number = $1`;

export class ProcessLease {
  private client: pg.Client | undefined;
  private leasedNumber: number | undefined;
  private opening: Promise<number> | undefined;
  private closed = false;
  private expiryTimer: NodeJS.Timeout | undefined;
  private recentCrash = false;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {}

  /**
   * This process's current number. It changes if the connection that held the lock is lost, because from then on others
   * may consider the process gone.
   */
  async number(): Promise<number> {
    if (this.leasedNumber !== undefined) return this.leasedNumber;
    return (this.opening ??= this.open().finally(() => (this.opening = undefined)));
  }

  /**
   * Whether a process has crashed recently, as far as this process knows. It checks when it registers and then every
   * two seconds.
   */
  get hasRecentCrash(): boolean {
    return this.recentCrash;
  }

  /** As Database.once, on the connection that holds the lock, so that it never waits for other work. */
  async runStatement<Row extends QueryResultRow>(
    scope: TenantScope,
    sql: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    await this.number();
    if (!this.client) throw new Error('Connection terminated: the process lease was lost.');
    return runStatementOn<Row>(this.client, scope, { text: sql, values: [...values] });
  }

  /** SQL that is true if no session holds the lock of the number that `expression` yields. */
  static isExpiredSql(expression: string): string {
    return `NOT EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${LOCK_CLASS_ID}
      AND l.objid = (${expression})::bigint::oid AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
  }

  /** Deregisters. Call it when the process has nothing claimed any more. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.expiryTimer);
    const number = this.leasedNumber;
    this.leasedNumber = undefined;
    if (number !== undefined)
      await this.client
        ?.query(DEREGISTER_SQL, [number])
        .catch((error: unknown) => this.logger.debug({ err: error }, 'The process lease was not released'));
    await this.client?.end();
  }

  private async open(): Promise<number> {
    for (;;) {
      if (this.closed) throw new Error('The process is shutting down.');
      const client = new pg.Client({
        connectionString: this.url,
        keepAlive: true,
        application_name: 'waypost-presence',
        pipeline: true,
      });
      try {
        const number = randomInt(1, 2_147_483_647);
        client.on('error', (error) => {
          this.logger.warn({ err: error }, 'The connection of the process lease was lost');
          this.handleLost(client);
        });
        client.on('end', () => this.handleLost(client));
        await client.connect();
        await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS_ID, number]);
        await client.query(REGISTER_SQL, [number]);
        await this.checkExpiry(client);
        this.client = client;
        this.leasedNumber = number;
        this.expiryTimer = setInterval(
          () => void this.recheckExpiry(client),
          EXPIRY_CHECK_INTERVAL_MS,
        ).unref();
        return number;
      } catch (error) {
        this.logger.warn({ err: error }, 'The process lease is not connected yet');
        await client
          .end()
          .catch((end: unknown) => this.logger.debug({ err: end }, 'Closing a failed connection'));
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
  }

  private handleLost(client: pg.Client): void {
    if (this.client !== client) return;
    this.leasedNumber = undefined;
    clearInterval(this.expiryTimer);
  }

  private async checkExpiry(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ mourns: boolean }>(EXPIRE_SQL);
    this.recentCrash = rows[0]?.mourns ?? false;
  }

  private async recheckExpiry(client: pg.Client): Promise<void> {
    try {
      await this.checkExpiry(client);
    } catch (error) {
      this.logger.debug({ err: error }, 'Expired processes could not be queried');
    }
  }
}

/**
 * Marks processes that ended without deregistering, deletes old entries, and returns whether there are recent crashes.
 */
const EXPIRE_SQL = `
  WITH ended AS (
    UPDATE process_lives p SET ended_at = now()
    WHERE p.ended_at IS NULL AND ${ProcessLease.isExpiredSql('p.number')} RETURNING p.number),
  forgotten AS (DELETE FROM process_lives WHERE ended_at <= now() - interval '${CRASH_RETENTION}')
  SELECT EXISTS (SELECT FROM ended)
    OR EXISTS (SELECT FROM process_lives WHERE ended_at > now() - interval '${CRASH_RETENTION}') AS mourns`;
