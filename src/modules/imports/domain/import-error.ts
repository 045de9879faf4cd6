/** Errors in records of an import. */
import { csvLine } from '../../../kernel/csv-line.js';

/** What was wrong with one record of a job, as it is stored: the first 10,000 of each job. */
export interface ImportError {
  /** Number among the job's errors, from 1. */
  readonly number: number;
  /** Number among the records, from 1. */
  readonly row: number;
  readonly externalId: string | null;
  /** A stable code, such as `invalid_email`. */
  readonly code: string;
  readonly detail: string;
}

/** An error before it has its number. */
export type RowError = Omit<ImportError, 'number'>;

/** A job's errors as CSV, to be used alongside the file that has to be corrected. */
export function errorsFile(errors: readonly ImportError[]): string {
  const lines = errors.map(({ row, externalId, code, detail }) =>
    csvLine([String(row), externalId ?? '', code, detail]),
  );
  return ['row,external_id,code,detail\r\n', ...lines].join('');
}
