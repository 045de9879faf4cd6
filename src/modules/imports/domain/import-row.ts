/** What a dry run would do with one record, as it is kept: the first 10,000 of each dry run. */
import type { RowError } from './import-error.js';

/** `merged`: an earlier record of the same contact tells what becomes of it. */
export const ROW_OUTCOMES = ['created', 'updated', 'unchanged', 'merged', 'failed'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export interface ImportRow {
  /** Among the rows that are kept, from 1. */
  readonly number: number;
  /** Among the records, from 1. */
  readonly row: number;
  readonly externalId: string | null;
  readonly outcome: RowOutcome;
  /** Fields of the contact that would be others than they are, with all its records of the same batch. */
  readonly updatedFields: readonly string[];
  /** Whether the source says that the person refuses mail. */
  readonly optsOut: boolean;
  /** Of what is wrong with it; null where it would be imported. */
  readonly code: string | null;
}

/** The same before it has its number. */
export type RowFate = Omit<ImportRow, 'number'>;

/** @param refusers external_ids of those of whom the source says that they refuse mail, which is heard all the same. */
export function failedRow({ row, externalId, code }: RowError, refusers: ReadonlySet<string>): RowFate {
  const optsOut = externalId !== null && refusers.has(externalId);
  return { row, externalId, outcome: 'failed', updatedFields: [], optsOut, code };
}
