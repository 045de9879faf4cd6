/** The metrics that decide about promotional mail, its state, and its pauses. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, momentArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PauseReason, SendingCounts } from '../domain/sending-pause.js';

export interface PromotionalSending {
  readonly countsSince: Date;
  readonly judgedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly releasing: Date | null;
}

/** Amounts to add to the metrics, by the time at which the messages were sent. They may be negative. */
export interface SendingCountsDelta extends SendingCounts {
  readonly at: Date;
}

export interface NewSendingPause extends SendingCounts {
  readonly id: string;
  readonly reason: PauseReason;
  readonly pausedAt: Date;
}

export interface SendingPause extends NewSendingPause {
  readonly resumedAt: Date | null;
  /** The id of the member, or of the API key after `api_key:`. */
  readonly resumedBy: string | null;
  readonly note: string | null;
}

const SELECT_STATE = `SELECT counts_since AS "countsSince", judged_at AS "judgedAt", paused_at AS "pausedAt", releasing
  FROM sending_standings WHERE workspace_id = $1 AND environment = $2`;

/**
 * Messages are counted in the hour in which they were sent. In the hour in which the metrics restart, they are counted
 * in the rest of that hour.
 */
const ADD_COUNTS = `
  WITH told AS (
    SELECT greatest(date_trunc('hour', u.at, 'UTC'), CASE WHEN u.at >= $7 THEN $7::timestamptz END) AS since,
      sum(u.sent) AS sent, sum(u.bounced) AS bounced, sum(u.complained) AS complained
    FROM unnest($3::timestamptz[], $4::int[], $5::int[], $6::int[]) AS u(at, sent, bounced, complained) GROUP BY 1)
  INSERT INTO sending_figures AS f (workspace_id, environment, since, sent, bounced, complained)
  SELECT $1, $2, since, sent, bounced, complained FROM told ORDER BY since
  ON CONFLICT (workspace_id, environment, since) DO UPDATE SET sent = f.sent + excluded.sent,
    bounced = f.bounced + excluded.bounced, complained = f.complained + excluded.complained`;

/** All messages that a pause holds have the same end time, so the queue's own index finds them. */
const HELD_MESSAGES = `FROM email_logs WHERE workspace_id = $1 AND environment = $2 AND status = 'queued' AND priority = 1
  AND next_attempt_at = $3 AND waits_for = 'sending_pause'`;

/** Metrics of hours older than this are no longer read. */
const COUNTS_RETENTION = '8 days';

@Injectable()
export class PromotionalSendingRepository {
  /** Undefined if no live promotional message was sent yet. */
  async find(tx: Transaction, scope: TenantScope): Promise<PromotionalSending | undefined> {
    const values = [scope.workspaceId, scope.environment];
    const [state] = await tx.query<PromotionalSending>(SELECT_STATE, values, 'promotional-sending');
    return state;
  }

  /** Like `find`, but locks the row until the transaction ends. */
  async lock(tx: Transaction, scope: TenantScope): Promise<PromotionalSending | undefined> {
    const values = [scope.workspaceId, scope.environment];
    const [state] = await tx.query<PromotionalSending>(`${SELECT_STATE} FOR UPDATE`, values);
    return state;
  }

  /** Creates the row if it does not exist. */
  async create(tx: Transaction, scope: TenantScope, countsSince: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO sending_standings (workspace_id, environment, counts_since) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [scope.workspaceId, scope.environment, countsSince],
    );
  }

  /** Adds to the metrics. Other transactions that add to the same hour wait until this one ends. */
  async add(
    tx: Transaction,
    scope: TenantScope,
    deltas: readonly SendingCountsDelta[],
    countsSince: Date,
  ): Promise<void> {
    await tx.execute(
      ADD_COUNTS,
      [
        scope.workspaceId,
        scope.environment,
        momentArray(deltas.map(({ at }) => at)),
        integerArray(deltas.map(({ sent }) => sent)),
        integerArray(deltas.map(({ bounced }) => bounced)),
        integerArray(deltas.map(({ complained }) => complained)),
        countsSince,
      ],
      'sending-figures-add',
    );
  }

  /** The sum of the metrics since a given time. */
  async counts(tx: Transaction, scope: TenantScope, since: Date): Promise<SendingCounts> {
    const [row] = await tx.query<SendingCounts>(
      `SELECT coalesce(sum(sent), 0)::int AS sent, coalesce(sum(bounced), 0)::int AS bounced,
         coalesce(sum(complained), 0)::int AS complained
       FROM sending_figures WHERE workspace_id = $1 AND environment = $2 AND since >= $3`,
      [scope.workspaceId, scope.environment, since],
      'sending-figures-sum',
    );
    return row ?? { sent: 0, bounced: 0, complained: 0 };
  }

  /** Records that the metrics were checked, and deletes those that are no longer read. */
  async markChecked(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    await tx.execute(
      `WITH forgotten AS (
         DELETE FROM sending_figures
         WHERE workspace_id = $1 AND environment = $2 AND since < $3::timestamptz - interval '${COUNTS_RETENTION}')
       UPDATE sending_standings SET judged_at = $3 WHERE workspace_id = $1 AND environment = $2`,
      [scope.workspaceId, scope.environment, now],
      'sending-figures-judged',
    );
  }

  /** Starts a pause. The row must be locked. */
  async pause(
    tx: Transaction,
    scope: TenantScope,
    { id, reason, pausedAt, sent, bounced, complained }: NewSendingPause,
  ): Promise<void> {
    await tx.execute(
      `WITH begun AS (
         INSERT INTO sending_pauses (workspace_id, environment, id, reason, paused_at, sent, bounced, complained)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8))
       UPDATE sending_standings SET paused_at = $5 WHERE workspace_id = $1 AND environment = $2`,
      [scope.workspaceId, scope.environment, id, reason, pausedAt, sent, bounced, complained],
    );
  }

  /** Ends the pause. The row must be locked. The metrics restart, and messages held until `held` are to be released. */
  async resume(
    tx: Transaction,
    scope: TenantScope,
    { held, by, note }: { readonly held: Date; readonly by: string; readonly note: string | null },
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `WITH ended AS (
         UPDATE sending_pauses SET resumed_at = $3, resumed_by = $5, note = $6
         WHERE workspace_id = $1 AND environment = $2 AND resumed_at IS NULL)
       UPDATE sending_standings SET paused_at = NULL, counts_since = $3, releasing = $4
       WHERE workspace_id = $1 AND environment = $2`,
      [scope.workspaceId, scope.environment, now, held, by, note],
    );
  }

  /** The latest pauses, newest first. */
  async pauses(tx: Transaction, scope: TenantScope, limit: number): Promise<SendingPause[]> {
    return tx.query<SendingPause>(
      `SELECT id, reason, paused_at AS "pausedAt", sent::int, bounced::int, complained::int, resumed_at AS "resumedAt",
         resumed_by AS "resumedBy", note
       FROM sending_pauses WHERE workspace_id = $1 AND environment = $2 ORDER BY paused_at DESC, id DESC LIMIT $3`,
      [scope.workspaceId, scope.environment, limit],
    );
  }

  /** The number of messages held until a given time, counted up to `maxCounted`. */
  async countHeld(tx: Transaction, scope: TenantScope, until: Date, maxCounted: number): Promise<number> {
    const [row] = await tx.query<{ held: number }>(
      `SELECT count(*)::int AS held FROM (SELECT 1 ${HELD_MESSAGES} LIMIT $4) AS found`,
      [scope.workspaceId, scope.environment, until, maxCounted],
    );
    return row?.held ?? 0;
  }

  /** Releases at most `limit` messages that were held until a given time. Returns how many. */
  async release(tx: Transaction, scope: TenantScope, until: Date, limit: number, now: Date): Promise<number> {
    return tx.execute(
      `UPDATE email_logs l SET waits_for = NULL, next_attempt_at = $5, held_until = $5, updated_at = $5
       FROM (SELECT id ${HELD_MESSAGES} ORDER BY id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED) AS found
       WHERE l.workspace_id = $1 AND l.id = found.id`,
      [scope.workspaceId, scope.environment, until, limit, now],
      'sending-pause-release',
    );
  }

  /** Records that the ended pause no longer holds any message. */
  async markReleased(tx: Transaction, scope: TenantScope): Promise<void> {
    await tx.execute(
      'UPDATE sending_standings SET releasing = NULL WHERE workspace_id = $1 AND environment = $2',
      [scope.workspaceId, scope.environment],
    );
  }
}
