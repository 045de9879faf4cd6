/** Counts request rates in PostgreSQL: one function call for any number of windows, on a dedicated connection. */
import type { Pool } from 'pg';
import type { LeaseRequest, LeaseGrant } from '../domain/leased-window.js';
import type { RateStore } from '../domain/rate-store.js';

const TAKE = `
  SELECT granted, in_slot::float8 AS slot, slot_left AS "slotLeft", used::float8 AS used, frees_in AS "freesIn"
  FROM take_rates($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::bigint[], $8)
  ORDER BY place`;

/** Deletes windows that are no longer used. */
const DELETE_EXPIRED = `
  DELETE FROM rate_windows WHERE key = ANY (ARRAY(
    SELECT key FROM rate_windows WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`;
const SWEEP_BATCH_ROWS = 1_000;

export class PostgresRateStore implements RateStore {
  /** @param moment replaces the server's clock in tests. */
  constructor(
    private readonly pool: Pool,
    private readonly moment: () => Date | null = () => null,
  ) {}

  async grant(requests: readonly LeaseRequest[]): Promise<LeaseGrant[]> {
    const { rows } = await this.pool.query<LeaseGrant>({
      name: 'take-rates',
      text: TAKE,
      values: [
        requests.map(({ key }) => key),
        requests.map(({ length }) => length),
        requests.map(({ limit }) => limit),
        requests.map(({ required }) => required),
        requests.map(({ requested }) => requested),
        requests.map(({ unused }) => unused),
        requests.map(({ unusedSlot }) => unusedSlot),
        this.moment(),
      ],
    });
    return rows;
  }

  async sweep(): Promise<boolean> {
    const { rowCount } = await this.pool.query(DELETE_EXPIRED, [SWEEP_BATCH_ROWS]);
    return rowCount === SWEEP_BATCH_ROWS;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
