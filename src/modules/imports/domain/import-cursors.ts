/** Cursors for pages of jobs, of their errors and of their rows. */
import { encodeCursor, KEY, decodeCursor, type PageCursor } from '../../../kernel/page-cursor.js';
import type { ImportError } from './import-error.js';
import type { ImportJob } from './import-job.js';
import type { ImportRow } from './import-row.js';

const JOBS = 'migrations';
const ERRORS = 'migration_errors';
const ROWS = 'migration_rows';
/** Errors and rows are numbered within their job, so the number alone is the cursor. */
const isNumber = (text: unknown): text is string => typeof text === 'string' && KEY.number(text);

export function jobCursor({ createdAt, id }: ImportJob): string {
  return encodeCursor(JOBS, { key: createdAt.toISOString(), id });
}

/** @throws DomainError invalid_field for an invalid cursor of jobs. */
export function parseImportJobCursor(cursor: string | undefined): PageCursor | null {
  return decodeCursor(JOBS, cursor, KEY.moment);
}

export function errorCursor({ number }: ImportError): string {
  return encodeCursor(ERRORS, numbered(number));
}

/**
 * The number of the last error before the page; 0 for the first page.
 * @throws DomainError invalid_field for an invalid cursor of errors.
 */
export function parseImportErrorCursor(cursor: string | undefined): number {
  return numberIn(ERRORS, cursor);
}

export function rowCursor({ number }: ImportRow): string {
  return encodeCursor(ROWS, numbered(number));
}

/** As `parseImportErrorCursor`, for rows. */
export function parseImportRowCursor(cursor: string | undefined): number {
  return numberIn(ROWS, cursor);
}

function numbered(number: number): PageCursor {
  return { key: '', id: String(number) };
}

function numberIn(list: string, cursor: string | undefined): number {
  return Number(decodeCursor(list, cursor, KEY.none, isNumber)?.id ?? 0);
}
