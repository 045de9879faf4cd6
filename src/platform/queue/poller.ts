/**
 * A stage is a kind of work that waits in rows: events to process, trips to advance, messages to send. It finds the
 * tenants with due rows; the sweeper sends its wake-up for them.
 */
import type { TenantScope } from '../../kernel/tenant-scope.js';
import type { JobContract } from './job-contract.js';

/** The result of polling a stage. */
export interface DueWork {
  readonly scopes: readonly TenantScope[];
  /** For each scope, when its oldest row became due. */
  readonly since: readonly Date[];
  /** When the next row becomes due; null if none is waiting. */
  readonly next: Date | null;
  /** When the oldest due row became due, in product time; null if none is due. */
  readonly oldest: Date | null;
}

export interface Poller {
  readonly wakeUp: JobContract<TenantScope>;
  /** Finds due work across tenants. Must be cheap, because it runs about once a second. */
  findDue(now: Date): Promise<DueWork>;
}

/** A tenant with waiting rows, and the due time of the earliest, in the past or future. */
export interface DueTenant {
  readonly workspace_id: string;
  readonly environment: TenantScope['environment'];
  readonly due_at: Date;
}

/** Separates tenants with due rows from those whose rows become due later. */
export function dueWork(rows: readonly DueTenant[], now: Date): DueWork {
  const due = rows.filter((row) => row.due_at <= now);
  const moments = (some: readonly DueTenant[]): number[] => some.map((row) => row.due_at.getTime());
  const earliest = (times: readonly number[]): Date | null =>
    times.length ? new Date(Math.min(...times)) : null;
  return {
    scopes: due.map((row) => ({ workspaceId: row.workspace_id, environment: row.environment })),
    since: due.map((row) => row.due_at),
    next: earliest(moments(rows.filter((row) => row.due_at > now))),
    oldest: earliest(moments(due)),
  };
}
