/** Column options shared by the tables of rollups and of deltas. */
import type { ColumnOptions } from 'typeorm';

/** A random key: each transaction writes its own delta rows, so that none waits for another. */
export const CHANGE_ID = { name: 'id', type: 'uuid' } as const;

export const SUM: ColumnOptions = { type: 'bigint', default: 0 };

export const CHANGED_BY: ColumnOptions = { type: 'integer', default: 0 };
