/** Reviews of messages that clocks hold (send windows and quiet hours), and these messages themselves. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SendOptions } from '../domain/email-log.js';
import type { SendGate } from '../domain/send-gates.js';
import { STEP_OF_MESSAGE } from './message-state.js';
import { optionsOf, type StoredOptions } from './stored-options.js';

export interface SendReview {
  /** Null when the review is over. */
  readonly lookAt: Date | null;
  readonly after: string | null;
  readonly again: boolean;
}

export interface HoursHeldMessage {
  readonly id: string;
  readonly sourceId: string | null;
  readonly stepId: number | null;
  readonly options: SendOptions;
  readonly gate: SendGate;
  readonly until: Date;
  /** Null if the contact has no time zone or does not exist any more. */
  readonly contactTimezone: string | null;
}

export interface RescheduledMessage {
  readonly id: string;
  /** What still holds the message; null when nothing does. */
  readonly gate: SendGate | null;
  readonly until: Date;
}

/**
 * The next $4 held messages after a given one, by an index that has only these. It skips a message that is being
 * claimed: the claim checks its gates anyway.
 */
export const HELD_BY_SEND_HOURS = `
  SELECT l.id, l.source_id AS "sourceId", ${STEP_OF_MESSAGE} AS "stepId", l.options, l.waits_for AS gate,
    l.next_attempt_at AS until, c.timezone AS "contactTimezone"
  FROM (SELECT * FROM email_logs
    WHERE workspace_id = $1 AND environment = $2 AND status = 'queued' AND waits_for IN ('send_window', 'do_not_disturb')
      AND ($3::uuid IS NULL OR id > $3)
    ORDER BY id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED) AS l
  LEFT JOIN LATERAL (SELECT timezone FROM contacts WHERE workspace_id = $1 AND id = l.contact_id LIMIT 1) AS c ON true
  ORDER BY l.id`;

@Injectable()
export class SendReviewRepository {
  /** Starts a review, or schedules another one for after the current one. Locks its row. */
  async begin(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO send_reviews (workspace_id, environment, look_at) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment) DO UPDATE
       SET look_at = excluded.look_at, again = send_reviews.look_at IS NOT NULL AND send_reviews.after IS NOT NULL`,
      [scope.workspaceId, scope.environment, now],
    );
  }

  /** Takes a share lock on the tenant's row. Creates the row if it does not exist. */
  async share(tx: Transaction, scope: TenantScope): Promise<void> {
    const values = [scope.workspaceId, scope.environment];
    const find = 'SELECT 1 FROM send_reviews WHERE workspace_id = $1 AND environment = $2 FOR SHARE';
    const rows = await tx.query(find, values, 'send-review-share');
    if (rows.length > 0) return;
    await tx.execute(
      'INSERT INTO send_reviews (workspace_id, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values,
    );
    await tx.query(find, values, 'send-review-share');
  }

  /** Locks and returns the review if one is due. Also undefined while another process works on it. */
  async due(tx: Transaction, scope: TenantScope, now: Date): Promise<SendReview | undefined> {
    const values = [scope.workspaceId, scope.environment, now];
    const where = 'workspace_id = $1 AND environment = $2 AND look_at <= $3';
    // First without a lock, because every sending turn runs this query.
    const due = await tx.query(`SELECT 1 FROM send_reviews WHERE ${where}`, values, 'send-review-due');
    if (due.length === 0) return undefined;
    const [review] = await tx.query<SendReview>(
      `SELECT look_at AS "lookAt", after, again FROM send_reviews WHERE ${where} FOR UPDATE`,
      values,
      'send-review-lock',
    );
    return review;
  }

  async store(
    tx: Transaction,
    scope: TenantScope,
    { lookAt: checkAt, after, again }: SendReview,
  ): Promise<void> {
    await tx.execute(
      'UPDATE send_reviews SET look_at = $3, after = $4, again = $5 WHERE workspace_id = $1 AND environment = $2',
      [scope.workspaceId, scope.environment, checkAt, after, again],
      'send-review-store',
    );
  }

  /** Locks and returns at most `limit` messages that clocks hold, after a given one, in the order of their ids. */
  async held(
    tx: Transaction,
    scope: TenantScope,
    after: string | null,
    limit: number,
  ): Promise<HoursHeldMessage[]> {
    const rows = await tx.query<Omit<HoursHeldMessage, 'options'> & { readonly options: StoredOptions }>(
      HELD_BY_SEND_HOURS,
      [scope.workspaceId, scope.environment, after, limit],
      'send-review-held',
    );
    return rows.map(({ options, ...row }) => ({ ...row, options: optionsOf(options) }));
  }

  async reschedule(
    tx: Transaction,
    scope: TenantScope,
    rescheduled: readonly RescheduledMessage[],
    now: Date,
  ): Promise<void> {
    if (rescheduled.length === 0) return;
    await tx.execute(
      `UPDATE email_logs l SET waits_for = r.gate, next_attempt_at = r.until, held_until = r.until, updated_at = $3
       FROM unnest($4::uuid[], $5::text[], $6::timestamptz[]) AS r(id, gate, until)
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = r.id AND l.status = 'queued'`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        rescheduled.map(({ id }) => id),
        rescheduled.map(({ gate }) => gate),
        rescheduled.map(({ until }) => until),
      ],
      'send-review-retime',
    );
  }
}
