/**
 * The queue's connections to PostgreSQL, as BullMQ needs them to live through an outage. BullMQ pauses and tries
 * again only after an error that it knows as a lost connection, and of PostgreSQL's it knows one: ECONNREFUSED. After
 * any other it gives up a job that is done, which then blocks its tenant's bells until its lock runs out, or asks
 * again without a pause. Here every failure that is not the queue's own answer bears that code.
 */
import type { Logger } from 'pino';
import pg from 'pg';
import { codeOf } from '../database/database.js';
import { EnduringClient } from '../database/enduring-client.js';

/** What BullMQ's own functions raise: an answer about a job, not a failure. */
const ANSWER = 'BM001';

/** Has the part of pg.Pool's face that BullMQ uses. */
export class QueuePool {
  private readonly pool: pg.Pool;
  private isFailing = false;

  constructor(
    config: pg.PoolConfig,
    private readonly logger: Logger,
  ) {
    this.pool = new pg.Pool({ ...config, Client: EnduringClient });
    // Whoever uses the lost connection hears of it; an idle one is replaced.
    this.pool.on('error', (error) => this.lost(error));
  }

  get options(): pg.PoolConfig {
    return this.pool.options;
  }

  /** BullMQ listens for lost connections, which it then writes to the console: they are dealt with above. */
  on(): this {
    return this;
  }

  async connect(): Promise<pg.PoolClient> {
    return this.endure(() => this.pool.connect());
  }

  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.endure(() => this.pool.query(text, values));
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  private async endure<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.isFailing = false;
      return result;
    } catch (error) {
      if (codeOf(error) === ANSWER || this.pool.ended || this.pool.ending) throw error;
      this.lost(error);
      throw Object.assign(new Error('The queue cannot be reached.', { cause: error }), {
        code: 'ECONNREFUSED',
      });
    }
  }

  /** One line for an outage, however many calls it fails. */
  private lost(error: unknown): void {
    if (!this.isFailing) this.logger.warn({ err: error }, 'The queue cannot be reached');
    this.isFailing = true;
  }
}
