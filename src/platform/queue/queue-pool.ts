/**
 * The queue's PostgreSQL connections, adapted so that BullMQ survives an outage. BullMQ pauses and retries only after
 * errors that it recognises as a lost connection, of which PostgreSQL produces one: ECONNREFUSED. After any other error
 * it abandons a finished job, which blocks its tenant's wake-ups until the lock expires, or retries without a pause.
 * This pool therefore gives that code to every failure that is not the queue's own response.
 */
import { createPostgresBackend } from 'bullmq';
import type { Logger } from 'pino';
import pg from 'pg';
import { codeOf } from '../database/database.js';
import { ResilientClient } from '../database/resilient-client.js';

/** Raised by BullMQ's own functions: a response about a job, not a failure. */
const BULLMQ_ERROR_CODE = 'BM001';

/** Implements the part of pg.Pool's interface that BullMQ uses. */
export class QueuePool {
  private readonly pool: pg.Pool;
  private isFailing = false;

  constructor(
    config: pg.PoolConfig,
    private readonly logger: Logger,
  ) {
    this.pool = new pg.Pool({ ...config, Client: ResilientClient });
    // A caller that uses the lost connection gets the error; an idle connection is replaced.
    this.pool.on('error', (error) => this.logOutage(error));
  }

  get options(): pg.PoolConfig {
    return this.pool.options;
  }

  /** BullMQ registers a handler that prints lost connections to the console. They are handled above. */
  on(): this {
    return this;
  }

  async connect(): Promise<pg.PoolClient> {
    return this.asConnectionLoss(() => this.pool.connect());
  }

  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.asConnectionLoss(() => this.pool.query(text, values));
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  private async asConnectionLoss<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.isFailing = false;
      return result;
    } catch (error) {
      if (codeOf(error) === BULLMQ_ERROR_CODE || this.pool.ended || this.pool.ending) throw error;
      this.logOutage(error);
      throw Object.assign(new Error('The queue cannot be reached.', { cause: error }), {
        code: 'ECONNREFUSED',
      });
    }
  }

  /** Logs one line per outage, however many calls fail. */
  private logOutage(error: unknown): void {
    if (!this.isFailing) this.logger.warn({ err: error }, 'The queue cannot be reached');
    this.isFailing = true;
  }
}

/** The cached connection attempt of BullMQ. */
interface Memo {
  readyPromise?: Promise<void> | undefined;
  waitUntilReady(): Promise<void>;
}

/**
 * BullMQ on PostgreSQL caches the result of its first connection attempt: a queue or worker that is created while the
 * database is down or slow would never work. This backend forgets a failed attempt, so that the next call, which BullMQ
 * retries repeatedly, connects again.
 */
export const resilientBackend: typeof createPostgresBackend = (name, options, more) => {
  const backend = createPostgresBackend(name, options, more);
  const { connection } = backend as unknown as { readonly connection: Memo };
  for (const memo of [connection, backend as unknown as Memo]) forgetFailures(memo);
  return backend;
};

function forgetFailures(memo: Memo): void {
  const ready = memo.waitUntilReady.bind(memo);
  memo.waitUntilReady = async () => {
    try {
      await ready();
    } catch (error) {
      memo.readyPromise = undefined;
      throw error;
    }
  };
}
