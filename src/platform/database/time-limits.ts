/**
 * Statement timeouts by role. PostgreSQL itself cancels longer statements, so that a runaway query holds its connection
 * for seconds. The limits belong to each role, whichever process connects; a transaction that is known to need more
 * sets its own.
 */
import { APP_ROLE, DISPATCH_ROLE, QUEUE_ROLE, READER_ROLE, type ServiceRole } from './roles.js';

/** PostgreSQL timeout settings in milliseconds. */
export interface TimeLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** For queries with a waiting caller: less than the 10 s after which GraphQL aborts a request. */
export const READ_TIMEOUT_MS = 8 * SECOND;
/** For the members of a segment, computed in the background. */
export const BACKGROUND_TIMEOUT_MS = 10 * MINUTE;
/** For a file that is streamed while it is generated, however slow its reader. */
export const STREAM_TIMEOUT_MS = 120 * MINUTE;

export const TIME_LIMITS: Readonly<Record<ServiceRole, TimeLimits>> = {
  // Stopping a flow ends all of its trips in one statement, and a batch has hundreds of rows.
  [APP_ROLE]: limits({ statement: MINUTE, lock: 30 * SECOND }),
  [READER_ROLE]: limits({ statement: READ_TIMEOUT_MS, lock: READ_TIMEOUT_MS }),
  [DISPATCH_ROLE]: limits({ statement: 15 * SECOND, lock: 15 * SECOND }),
  [QUEUE_ROLE]: limits({ statement: MINUTE, lock: 30 * SECOND }),
};

function limits({ statement, lock }: { statement: number; lock: number }): TimeLimits {
  return {
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: MINUTE,
  };
}

/** Sets this statement timeout for the rest of a transaction. */
export function setStatementTimeoutSql(milliseconds: number): string {
  return `SET LOCAL statement_timeout = ${milliseconds}`;
}

/**
 * Milliseconds that startup waits for the server. A server usually answers immediately, and so does a host without one,
 * but a process that is still loading modules processes the answer late.
 */
export const START_WAIT_MS = 30_000;
