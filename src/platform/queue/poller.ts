/**
 * A stage is a kind of work that waits in rows: events to process, trips to advance, messages to send. It finds the
 * tenants with due rows; the sweeper sends its wake-up for them.
 */
import { scopeKey, type TenantScope } from '../../kernel/tenant-scope.js';
import type { Database } from '../database/database.js';
import type { WakeUp } from './job-contract.js';

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
  readonly wakeUp: WakeUp;
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

/**
 * SQL that lists tenants as `DueTenant`, with the due time of their earliest row, past or future. It runs across tenants
 * with the dispatcher's role.
 */
export type DueTenantsSql = string | DueTenantsQuery;

export interface DueTenantsQuery {
  readonly sql: string;
  /** The values of the parameters. */
  readonly values: (now: Date) => readonly unknown[];
}

/** Runs the queries one after the other, and lists each tenant once. */
export async function findTenants(
  database: Database,
  queries: DueTenantsSql | readonly DueTenantsSql[],
  now: Date,
): Promise<DueTenant[]> {
  const found: DueTenant[][] = [];
  for (const query of [queries].flat()) {
    const { sql, values } = typeof query === 'string' ? { sql: query, values: () => [] } : query;
    found.push(await database.acrossTenants<DueTenant>(sql, values(now)));
  }
  return earliestOf(found.flat());
}

/** The row of each tenant that is due first. */
export function earliestOf(rows: readonly DueTenant[]): DueTenant[] {
  const earliest = new Map<string, DueTenant>();
  for (const row of rows) {
    const tenant = scopeKey({ workspaceId: row.workspace_id, environment: row.environment });
    const other = earliest.get(tenant);
    if (!other || row.due_at < other.due_at) earliest.set(tenant, row);
  }
  return [...earliest.values()];
}

/** Polls with SQL alone. Pollers that need more extend it. */
export class TenantPoller implements Poller {
  constructor(
    readonly wakeUp: WakeUp,
    private readonly queries: DueTenantsSql | readonly DueTenantsSql[],
    private readonly database: Database,
  ) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.dueTenants(now), now);
  }

  protected async dueTenants(now: Date): Promise<DueTenant[]> {
    return findTenants(this.database, this.queries, now);
  }
}
