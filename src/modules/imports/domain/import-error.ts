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
