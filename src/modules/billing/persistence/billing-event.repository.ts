/** Events of payment providers, as a queue and as a history. */
import { Injectable } from '@nestjs/common';
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { BillingEvent, BillingFailure, BillingSource } from '../domain/billing-event.js';

export interface StoredBillingEvent {
  readonly id: string;
  readonly source: BillingSource;
  readonly event: BillingEvent;
  readonly receivedAt: Date;
  readonly processedAt: Date | null;
  readonly failure: BillingFailure | null;
}

/** An event that was not applied, with or without a workspace. */
export interface FailedEvent {
  readonly workspaceId: string;
  readonly id: string;
}

interface Row {
  readonly id: string;
  readonly source: BillingSource;
  readonly event: SnakeKeys<Record<string, unknown>>;
  readonly received_at: Date;
  readonly processed_at: Date | null;
  readonly failure: BillingFailure | null;
}

const COLUMNS = 'id, source, event, received_at, processed_at, failure';

@Injectable()
export class BillingEventRepository {
  constructor(private readonly database: Database) {}

  /** Stores an event for processing. Returns whether it was new. */
  async insert(
    { workspaceId }: WorkspaceScope,
    {
      id,
      key,
      source,
      event,
    }: Pick<StoredBillingEvent, 'id' | 'source' | 'event'> & { readonly key: string },
    now: Date,
  ): Promise<boolean> {
    return this.database.inScope({ workspaceId }, async (tx) => {
      const rows = await tx.query(
        `INSERT INTO billing_events (workspace_id, id, key, source, event, received_at, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (workspace_id, key) DO NOTHING RETURNING id`,
        [workspaceId, id, key, source, JSON.stringify(snakeKeys({ ...event })), now],
      );
      return rows.length > 0;
    });
  }

  /** Locks and returns the event that has waited longest. Skips one that another transaction processes. */
  async next(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    now: Date,
  ): Promise<StoredBillingEvent | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM billing_events WHERE workspace_id = $1 AND due_at <= $2
       ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [workspaceId, now],
    );
    return row && recordOf(row);
  }

  /** Records that an event was processed, with `failure` if it was not applied. */
  async markProcessed(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
    failure: BillingFailure | null,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE billing_events SET due_at = NULL, processed_at = $4, failure = $3 WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, failure, now],
    );
  }

  /** Postpones an event that could not be processed, so that later ones can go first. */
  async postpone(tx: Transaction, { workspaceId }: WorkspaceScope, id: string, until: Date): Promise<void> {
    await tx.execute(
      'UPDATE billing_events SET due_at = $3 WHERE workspace_id = $1 AND id = $2 AND due_at IS NOT NULL',
      [workspaceId, id, until],
    );
  }

  /** Failed events of all workspaces, or a single one. Those with the oldest attempt come first. */
  async failed(limit: number, id: string | null): Promise<FailedEvent[]> {
    return this.database.acrossTenants<FailedEvent>(
      `SELECT workspace_id AS "workspaceId", id FROM billing_events
       WHERE failure IS NOT NULL AND ($2::uuid IS NULL OR id = $2) ORDER BY processed_at, id LIMIT $1`,
      [limit, id],
    );
  }

  /** A stored event. */
  async find(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
  ): Promise<StoredBillingEvent | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM billing_events WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id],
    );
    return row && recordOf(row);
  }

  /** Queues a failed event again. Returns whether it existed. */
  async replay({ workspaceId }: WorkspaceScope, id: string, now: Date): Promise<boolean> {
    return this.database.inScope({ workspaceId }, async (tx) => {
      const count = await tx.execute(
        `UPDATE billing_events SET due_at = $3, failure = NULL, processed_at = NULL
         WHERE workspace_id = $1 AND id = $2 AND failure IS NOT NULL`,
        [workspaceId, id, now],
      );
      return count > 0;
    });
  }

  /** A page of a workspace's events, newest first. */
  async page(scope: WorkspaceScope, { first, after }: PageRequest): Promise<Slice<StoredBillingEvent>> {
    return this.database.listInScope(scope, async (tx) => {
      const rows = await tx.query<Row>(
        `SELECT ${COLUMNS} FROM billing_events WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3`,
        [scope.workspaceId, after?.id ?? null, first + 1],
      );
      return sliceOf(rows.map(recordOf), first);
    });
  }

  /** Deletes at most `limit` events that were applied before the given time. */
  async deleteApplied(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    before: Date,
    limit: number,
  ): Promise<void> {
    await tx.execute(
      `DELETE FROM billing_events WHERE workspace_id = $1 AND id IN (
         SELECT id FROM billing_events WHERE workspace_id = $1 AND failure IS NULL AND processed_at < $2 LIMIT $3)`,
      [workspaceId, before, limit],
    );
  }
}

const TIME_FIELDS = ['at', 'periodStart', 'periodEnd'] as const;

function recordOf({ received_at, processed_at, event, ...row }: Row): StoredBillingEvent {
  const parsed = camelKeys(event) as Record<string, unknown>;
  for (const name of TIME_FIELDS) if (typeof parsed[name] === 'string') parsed[name] = new Date(parsed[name]);
  // Events that were stored before purchases were confirmed. Those of the payment provider are confirmed by the
  // operator's records.
  parsed['confirmation'] ??= 'confirmation' in parsed || row.source !== 'payment' ? null : 'link';
  return {
    ...row,
    event: parsed as unknown as BillingEvent,
    receivedAt: received_at,
    processedAt: processed_at,
  };
}
