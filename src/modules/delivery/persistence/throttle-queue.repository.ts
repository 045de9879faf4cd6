/**
 * The queues of throttled sources. Slots are counted from the messages themselves, under the lock of the source's
 * queue, in one statement that sees everything committed before. So no counter has to be kept in sync, and a crash
 * leaves nothing to repair.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SlotUse } from '../domain/throttle.js';

export interface ThrottleQueue {
  readonly sourceId: string;
  readonly lookAt: Date | null;
  readonly opensAt: Date | null;
  readonly places: number;
  readonly placesOf: string;
}

const QUEUE_COLUMNS = `source_id AS "sourceId", look_at AS "lookAt", opens_at AS "opensAt", places, places_of AS "placesOf"`;

/** The first $5 messages of a throttle queue. A dedicated index finds them, regardless of the length of the queue. */
export const RELEASE = `
  WITH first AS MATERIALIZED (
    SELECT id FROM email_logs
    WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND status = 'queued' AND waits_for = 'throttle'
    ORDER BY id LIMIT $5 FOR UPDATE SKIP LOCKED)
  UPDATE email_logs l SET waits_for = NULL, has_slot = $6, next_attempt_at = $4, held_until = $4, updated_at = $4
  FROM first WHERE l.workspace_id = $1 AND l.id = first.id AND l.status = 'queued'`;

@Injectable()
export class ThrottleQueueRepository {
  /** Locks the queue of a source until the transaction ends. Creates it if it does not exist. */
  async lock(tx: Transaction, scope: TenantScope, sourceId: string): Promise<ThrottleQueue> {
    const values = [scope.workspaceId, sourceId, scope.environment];
    const find = (): Promise<ThrottleQueue[]> =>
      tx.query<ThrottleQueue>(
        `SELECT ${QUEUE_COLUMNS} FROM send_lines WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 FOR UPDATE`,
        values,
        'send-line-lock',
      );
    const [queue] = await find();
    if (queue) return queue;
    await tx.execute(
      'INSERT INTO send_lines (workspace_id, source_id, environment) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values,
    );
    const [created] = await find();
    if (!created) throw new Error('A line that was made is not there.');
    return created;
  }

  /** Locks and returns the queues that are due for a check. Skips those that another process is checking. */
  async due(tx: Transaction, scope: TenantScope, now: Date, limit: number): Promise<ThrottleQueue[]> {
    return tx.query<ThrottleQueue>(
      `SELECT ${QUEUE_COLUMNS} FROM send_lines WHERE workspace_id = $1 AND environment = $2 AND look_at <= $3
       ORDER BY look_at LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now, limit],
      'send-lines-due',
    );
  }

  async store(tx: Transaction, scope: TenantScope, queue: ThrottleQueue): Promise<void> {
    await tx.execute(
      `UPDATE send_lines SET look_at = $4, opens_at = $5, places = $6, places_of = $7
       WHERE workspace_id = $1 AND source_id = $2 AND environment = $3`,
      [
        scope.workspaceId,
        queue.sourceId,
        scope.environment,
        queue.lookAt,
        queue.opensAt,
        queue.places,
        queue.placesOf,
      ],
      'send-line-store',
    );
  }

  /** Schedules a check of the queue and a new count of its slots, after its throttle has changed. */
  async reset(tx: Transaction, scope: TenantScope, sourceId: string, now: Date): Promise<void> {
    await tx.execute(
      `UPDATE send_lines SET places = 0, places_of = '', look_at = CASE WHEN look_at IS NOT NULL THEN $4::timestamptz END
       WHERE workspace_id = $1 AND source_id = $2 AND environment = $3`,
      [scope.workspaceId, sourceId, scope.environment, now],
    );
  }

  /**
   * Counts a source's slots that were used since a given time or are held by messages whose outcome is not known.
   * Messages that left while there was no throttle count too.
   * @param limit maximum number of used slots to count: more make no difference.
   * @param besides claimed messages that need a slot.
   */
  async use(
    tx: Transaction,
    scope: TenantScope,
    {
      sourceId,
      since,
      limit,
      besides,
    }: {
      readonly sourceId: string;
      readonly since: Date;
      readonly limit: number;
      readonly besides: readonly string[];
    },
  ): Promise<SlotUse> {
    const [use] = await tx.query<SlotUse>(
      `SELECT
         (SELECT count(*)::int FROM (
           SELECT FROM email_logs
           WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND slot_at > $4
           UNION ALL
           SELECT FROM spent_slots
           WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND used_at > $4
           LIMIT $5) AS uses) AS used,
         (SELECT count(*)::int FROM email_logs
          WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND status = 'queued' AND has_slot)
         + (SELECT count(*)::int FROM email_logs
          WHERE workspace_id = $1 AND environment = $3 AND status = 'sending' AND source_id = $2
            AND NOT id = ANY ($6::uuid[])) AS "inHand"`,
      [scope.workspaceId, sourceId, scope.environment, since, limit, besides],
      'send-line-use',
    );
    return use ?? { used: 0, inHand: 0 };
  }

  /**
   * When the slot at this position was used; the most recent use is number 1. Undefined when fewer slots were used
   * since the given time.
   */
  async usedAt(
    tx: Transaction,
    scope: TenantScope,
    {
      sourceId,
      since,
      position,
    }: { readonly sourceId: string; readonly since: Date; readonly position: number },
  ): Promise<Date | undefined> {
    const [slot] = await tx.query<{ slot_at: Date }>(
      `SELECT slot_at FROM (
         (SELECT slot_at FROM email_logs
          WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND slot_at > $4
          ORDER BY slot_at DESC LIMIT $5)
         UNION ALL
         (SELECT used_at FROM spent_slots
          WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND used_at > $4
          ORDER BY used_at DESC LIMIT $5)) AS uses
       ORDER BY slot_at DESC OFFSET $5 - 1 LIMIT 1`,
      [scope.workspaceId, sourceId, scope.environment, since, position],
    );
    return slot?.slot_at;
  }

  /** Grants slots to messages that this transaction has claimed. */
  async grant(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.execute(
      `UPDATE email_logs SET has_slot = true
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND status = 'sending'`,
      [scope.workspaceId, scope.environment, ids],
      'send-line-grant',
    );
  }

  /**
   * Releases at most the given number of messages from the start of the queue, each with a slot if the source has a
   * throttle.
   * @returns how many were released.
   */
  async release(
    tx: Transaction,
    scope: TenantScope,
    {
      sourceId,
      limit,
      hasSlot,
    }: { readonly sourceId: string; readonly limit: number; readonly hasSlot: boolean },
    now: Date,
  ): Promise<number> {
    return tx.execute(
      RELEASE,
      [scope.workspaceId, sourceId, scope.environment, now, limit, hasSlot],
      'send-line-release',
    );
  }

  /** Whether any message waits in the queue. */
  async hasWaiting(tx: Transaction, scope: TenantScope, sourceId: string): Promise<boolean> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM email_logs
       WHERE workspace_id = $1 AND source_id = $2 AND environment = $3 AND status = 'queued' AND waits_for = 'throttle'
       LIMIT 1`,
      [scope.workspaceId, sourceId, scope.environment],
    );
    return rows.length > 0;
  }
}
