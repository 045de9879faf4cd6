/** Counts request rates in PostgreSQL: one function call for any number of windows, on a dedicated connection. */
import type { Pool } from 'pg';
import type { Ask, Grant } from '../domain/held-window.js';
import type { RateStore } from '../domain/rate-store.js';

const TAKE = `
  SELECT granted, in_slot::float8 AS slot, slot_left AS "slotLeft", used::float8 AS used, frees_in AS "freesIn"
  FROM take_rates($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::bigint[], $8)
  ORDER BY place`;

/** Deletes windows that are no longer used. */
const FORGET = `
  DELETE FROM rate_windows WHERE key = ANY (ARRAY(
    SELECT key FROM rate_windows WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`;
const FORGOTTEN_AT_ONCE = 1_000;

export class PostgresRateStore implements RateStore {
  /** @param moment replaces the server's clock in tests. */
  constructor(
    private readonly pool: Pool,
    private readonly moment: () => Date | null = () => null,
  ) {}

  async take(asks: readonly Ask[]): Promise<Grant[]> {
    const { rows } = await this.pool.query<Grant>({
      name: 'take-rates',
      text: TAKE,
      values: [
        asks.map(({ key }) => key),
        asks.map(({ length }) => length),
        asks.map(({ limit }) => limit),
        asks.map(({ need }) => need),
        asks.map(({ want }) => want),
        asks.map(({ back }) => back),
        asks.map(({ backSlot }) => backSlot),
        this.moment(),
      ],
    });
    return rows;
  }

  async sweep(): Promise<boolean> {
    const { rowCount } = await this.pool.query(FORGET, [FORGOTTEN_AT_ONCE]);
    return rowCount === FORGOTTEN_AT_ONCE;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
