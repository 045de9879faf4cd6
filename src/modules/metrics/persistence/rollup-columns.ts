/** Column options that the tables of sums, and of changes to them, share. */
import type { ColumnOptions } from 'typeorm';

/** A row of changes is its transaction's own, so that none waits for another. */
export const CHANGE_ID = { name: 'id', type: 'uuid' } as const;

export const SUM: ColumnOptions = { type: 'bigint', default: 0 };

export const CHANGED_BY: ColumnOptions = { type: 'integer', default: 0 };
