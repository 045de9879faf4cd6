/** What an error of the database says. It loads nothing, for processes that have no database. */

/** The server's roles do not fit; the message is one line for the operator. */
export class RoleFault extends Error {
  override readonly name = 'RoleFault';
}

/** PostgreSQL's or Node's code of an error; empty when it has none. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.cause ?? error.errors[0]);
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** 40001: a serialization failure; 40P01: a deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Whether the transaction did nothing and may be run again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** 57014: a statement that took too long; 55P03: a lock that was not to be had; 25P03: a transaction that stood still. */
const OUT_OF_TIME = new Set(['57014', '55P03', '25P03']);

/** Whether an error says that PostgreSQL ended something because its time was over. */
export function isOutOfTime(error: unknown): boolean {
  return OUT_OF_TIME.has(codeOf(error));
}

/** Whether an error says that PostgreSQL gave a question up since it takes too much time, or too much temporary space (53400). */
export function isTooCostly(error: unknown): boolean {
  return isOutOfTime(error) || codeOf(error) === '53400';
}

/** 53100: a full disk; 58030: a disk that fails; 25006: a server that was set to read only, as managed ones are before their disk is full. */
const UNWRITABLE = new Set(['53100', '58030', '25006']);

/** Whether an error says that the database server can write nothing now, so that the same call may succeed later. */
export function isUnwritable(error: unknown): boolean {
  return UNWRITABLE.has(codeOf(error));
}

/** Whether an error says that the database server lacks something: disk, memory, connections. */
export function isShortage(error: unknown): boolean {
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

/** Whether an error says nothing of the work: the same transaction may succeed when it is run again. */
export function isPassing(error: unknown): boolean {
  return isRetryable(error) || isUnreachable(error);
}

/** Whether an error says that the database cannot be worked with now, so that the same call may succeed later. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable) || isUnreachable(error.cause);
  if (isUnwritable(error)) return true;
  const code = codeOf(error);
  // 08: connection exception; 57P01-57P03: shutting down, crashed, starting up; 53300: too many connections.
  if (code.startsWith('08') || /^57P0[123]$/.test(code) || code === '53300' || UNREACHABLE_CODES.has(code))
    return true;
  return error instanceof Error && UNREACHABLE_TEXT.test(error.message);
}
