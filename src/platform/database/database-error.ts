/** Classifies database errors. Loads no other code, so that processes without a database can use it. */

/** The server's roles are unusable. The message is one line for the operator. */
export class RoleFault extends Error {
  override readonly name = 'RoleFault';
}

/** The PostgreSQL or Node error code; empty if there is none. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.cause ?? error.errors[0]);
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** 40001: serialization failure. 40P01: deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Whether the transaction was rolled back and may be run again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** 57014: statement timeout. 55P03: lock timeout. 25P03: idle transaction timeout. */
const TIMEOUT_CODES = new Set(['57014', '55P03', '25P03']);

/** Whether PostgreSQL cancelled the work because of a timeout. */
export function isTimeout(error: unknown): boolean {
  return TIMEOUT_CODES.has(codeOf(error));
}

/** Whether PostgreSQL cancelled a query because it took too long or used too much temporary space (53400). */
export function isTooCostly(error: unknown): boolean {
  return isTimeout(error) || codeOf(error) === '53400';
}

/** 53100: disk full. 58030: I/O error. 25006: read-only server, as managed servers become before their disk is full. */
const UNWRITABLE = new Set(['53100', '58030', '25006']);

/** Whether the server currently cannot write, so that the same call may succeed later. */
export function isUnwritable(error: unknown): boolean {
  return UNWRITABLE.has(codeOf(error));
}

/** Whether the server lacks a resource: disk, memory or connections. */
export function isResourceShortage(error: unknown): boolean {
  return isUnwritable(error) || codeOf(error).startsWith('53');
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const UNREACHABLE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i;

/** Whether the error is independent of the work, so that the same transaction may succeed on retry. */
export function isTransient(error: unknown): boolean {
  return isRetryable(error) || isUnreachable(error);
}

/** Whether the database is currently unusable, so that the same call may succeed later. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable) || isUnreachable(error.cause);
  if (isUnwritable(error)) return true;
  const code = codeOf(error);
  // 08: connection exception. 57P01-57P03: shutting down, crashed, starting up. 53300: too many connections.
  if (code.startsWith('08') || /^57P0[123]$/.test(code) || code === '53300' || UNREACHABLE_CODES.has(code))
    return true;
  return error instanceof Error && UNREACHABLE_TEXT.test(error.message);
}
