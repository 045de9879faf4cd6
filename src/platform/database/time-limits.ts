/**
 * How long a statement may take, by who asks it. PostgreSQL itself ends what takes longer, so that a query without end
 * holds its connection for seconds. Each role has limits of its own, whoever opens the connection; a transaction that
 * is known to need more says so.
 */
import { APP_ROLE, DISPATCH_ROLE, QUEUE_ROLE, READER_ROLE, type ServiceRole } from './roles.js';

/** Settings of PostgreSQL that end things, in milliseconds. */
export interface TimeLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Of what somebody waits for: less than the 10 s after which GraphQL gives a request up. */
export const READING = 8 * SECOND;
/** Of the members of a segment, looked up in the background. */
export const BACKGROUND = 10 * MINUTE;
/** Of a file that is written while it is read, however slow its reader. */
export const STREAM = 120 * MINUTE;

export const TIME_LIMITS: Readonly<Record<ServiceRole, TimeLimits>> = {
  // Stopping a flow ends all of its trips by one statement, and a batch is hundreds of rows.
  [APP_ROLE]: limits({ statement: MINUTE, lock: 30 * SECOND }),
  [READER_ROLE]: limits({ statement: READING, lock: READING }),
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

/** Gives the rest of a transaction this long for each statement. */
export function allow(milliseconds: number): string {
  return `SET LOCAL statement_timeout = ${milliseconds}`;
}

/**
 * Milliseconds that a start waits for the server. A server that is there, or a machine without one, answers at once; but a
 * process that still loads its modules hears the answer late.
 */
export const START_WAIT_MS = 30_000;
