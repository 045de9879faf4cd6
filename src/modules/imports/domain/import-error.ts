/** What was wrong with one record of a job, as it is kept: the first 10,000 of each job. */
export interface ImportError {
  /** Among the job's errors, from 1. */
  readonly number: number;
  /** Among the records, from 1. */
  readonly row: number;
  readonly externalId: string | null;
  /** A stable code, such as `invalid_email`. */
  readonly code: string;
  readonly detail: string;
}

/** The same before it has its number. */
export type RowError = Omit<ImportError, 'number'>;
