/** Column options shared by the tables of rollups and of deltas. */
import type { ColumnOptions } from 'typeorm';

/** A random key: each transaction writes its own delta rows, so that none waits for another. */
export const RANDOM_ID = { name: 'id', type: 'uuid' } as const;

export const TOTAL_COLUMN: ColumnOptions = { type: 'bigint', default: 0 };

export const COUNTER_COLUMN: ColumnOptions = { type: 'integer', default: 0 };
