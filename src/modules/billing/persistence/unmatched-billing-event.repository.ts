/** Events of payment providers that match no workspace. These rows belong to no tenant. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { BillingFailure, BillingSource } from '../domain/billing-event.js';

export interface UnmatchedBillingEvent {
  readonly key: string;
  readonly source: BillingSource;
  readonly body: string;
  readonly failure: BillingFailure;
  readonly receivedAt: Date;
}

/** How many old events are deleted when one is added. */
const DELETE_CHUNK_ROWS = 100;

@Injectable()
export class UnmatchedBillingEventRepository {
  constructor(private readonly database: Database) {}

  /** Stores an event, and deletes some received before `before`. Returns whether it was new. */
  async insert(
    { key, source, body, failure, receivedAt }: UnmatchedBillingEvent,
    before: Date,
  ): Promise<boolean> {
    const { pool } = this.database;
    const { rowCount } = await pool.query(
      `INSERT INTO stray_billing_events (key, source, body, failure, received_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (key) DO NOTHING`,
      [key, source, body, failure, receivedAt],
    );
    await pool.query(
      `DELETE FROM stray_billing_events WHERE key IN (
         SELECT key FROM stray_billing_events WHERE received_at < $1 LIMIT ${DELETE_CHUNK_ROWS})`,
      [before],
    );
    return rowCount === 1;
  }

  /** The oldest ones, or only the one with a key. */
  async list(limit: number, key: string | null): Promise<UnmatchedBillingEvent[]> {
    const { rows } = await this.database.pool.query<UnmatchedBillingEvent>(
      `SELECT key, source, body, failure, received_at AS "receivedAt" FROM stray_billing_events
       WHERE $2::text IS NULL OR key = $2 ORDER BY received_at LIMIT $1`,
      [limit, key],
    );
    return rows;
  }

  async remove(key: string): Promise<void> {
    await this.database.pool.query('DELETE FROM stray_billing_events WHERE key = $1', [key]);
  }
}
