/** What a dry run would do with one record, as it is stored: the first 10,000 of each dry run. */
import type { RowError } from './import-error.js';

/** `merged`: the result is given at an earlier record of the same contact. */
export const ROW_OUTCOMES = ['created', 'updated', 'unchanged', 'merged', 'failed'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export interface ImportRow {
  /** Number among the stored rows, from 1. */
  readonly number: number;
  /** Number among the records, from 1. */
  readonly row: number;
  readonly externalId: string | null;
  readonly outcome: RowOutcome;
  /** Fields of the contact that would change, with all its records of the same batch. */
  readonly updatedFields: readonly string[];
  /** Whether the source reports that the person has opted out. */
  readonly optsOut: boolean;
  /** The code of its error; null if it would be imported. */
  readonly code: string | null;
}

/** A row before it has its number. */
export type RowResult = Omit<ImportRow, 'number'>;

/**
 * @param optedOutIds external_ids of persons who have opted out according to the source, which is respected even if the
 * record fails.
 */
export function failedRow({ row, externalId, code }: RowError, optedOutIds: ReadonlySet<string>): RowResult {
  const optsOut = externalId !== null && optedOutIds.has(externalId);
  return { row, externalId, outcome: 'failed', updatedFields: [], optsOut, code };
}
