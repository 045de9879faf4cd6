/**
 * A stage is a kind of work that is waiting in rows: events to process, trips to advance, messages to send. It
 * knows how to find the tenants whose rows are due; the sweeper rings its bell for them.
 */
import type { TenantScope } from '../../kernel/tenant-scope.js';
import type { JobContract } from './job-contract.js';

/** What a look at a stage's rows finds. */
export interface DueWork {
  readonly scopes: readonly TenantScope[];
  /** For each of the scopes, when its oldest row became due. */
  readonly since: readonly Date[];
  /** When the next row becomes due; null when none is waiting. */
  readonly next: Date | null;
  /** Since when the oldest due row has been waiting, in the product's time; null when none is due. */
  readonly oldest: Date | null;
}

export interface Stage {
  readonly bell: JobContract<TenantScope>;
  /** Looks for due work across tenants; cheap, since it is asked about once a second. */
  due(now: Date): Promise<DueWork>;
}

/** A tenant with work in rows, and when the earliest of them is due, past or future. */
export interface DueTenant {
  readonly workspace_id: string;
  readonly environment: TenantScope['environment'];
  readonly due_at: Date;
}

/** Sorts each tenant's earliest row into due and not yet due. */
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
