/** Storage of the product's own mail. */
import { Injectable } from '@nestjs/common';
import { DAY, MINUTE } from '../../../kernel/duration.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import type { SentInvitation } from '../domain/invitation-limits.js';
import type { ClaimedNotice, NewNotice, Notice, NoticeStatus } from '../domain/notice.js';

/** Milliseconds for which the row of a finished mail is kept. For at least this time its purpose is not used twice. */
const RETENTION_MS = 40 * DAY;
/** Milliseconds after which it is checked whether the process that claimed a mail is still alive. */
const LIVENESS_CHECK_DELAY_MS = MINUTE;

/** The outcome of an attempt. */
export type NoticeOutcome =
  | { readonly status: 'sent' | 'withdrawn' }
  | {
      readonly status: 'failed';
      readonly code: string;
      /** Whether the recipient's server reported that the address does not exist. */
      readonly isHardBounce: boolean;
    }
  | { readonly status: 'queued'; readonly code: string; readonly at: Date; readonly reissue: boolean };

const ENDED: readonly NoticeStatus[] = ['sent', 'failed', 'withdrawn', 'set_aside'];

const ADD = `
  INSERT INTO notices (workspace_id, id, purpose, subject_id, kind, to_email, content, due_at, from_at, created_at)
  SELECT $1, n.id, n.purpose, n.subject_id, n.content->>'kind', n.to_email, n.content, n.due_at, n.due_at, $2
  FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::jsonb[], $8::timestamptz[])
    AS n(id, purpose, subject_id, to_email, content, due_at)
  ON CONFLICT (workspace_id, purpose) DO NOTHING`;

/** A mail claimed by another process is left to it while that process lives, for any length of time. */
const CLAIM = `
  WITH due AS (
    SELECT id, status FROM notices
    WHERE workspace_id = $1 AND due_at <= $2 AND (status = 'queued' OR status = 'sending' AND (
      sender = $3 AND id <> ALL ($4::uuid[]) OR ${ProcessLease.isExpiredSql('sender')}))
    ORDER BY due_at LIMIT $5 FOR UPDATE SKIP LOCKED)
  UPDATE notices n SET status = 'sending', sender = $3, due_at = $6, attempts = n.attempts + 1,
    reissues = n.reissues + (due.status = 'sending')::int
  FROM due WHERE n.workspace_id = $1 AND n.id = due.id
  RETURNING n.id, n.to_email AS "to", n.content AS notice, n.attempts, n.reissues, n.from_at AS "triedSince"`;

const END = `status = $3, content = NULL, sender = NULL, ended_at = $4, due_at = $5`;

/** A mail, with the data that handlers of bounces and complaints need. */
export interface KnownNotice {
  readonly kind: Notice['kind'];
  readonly subjectId: string;
  readonly to: string;
}

@Injectable()
export class NoticeRepository {
  constructor(
    private readonly database: Database,
    private readonly processLease: ProcessLease,
  ) {}

  /** The workspaces of mails. Mails that do not exist are left out. */
  async workspacesOf(ids: readonly string[]): Promise<(WorkspaceScope & { readonly id: string })[]> {
    return this.database.acrossTenants(
      'SELECT id, workspace_id AS "workspaceId" FROM notices WHERE id = ANY ($1::uuid[])',
      [ids],
    );
  }

  /** A mail by its id, including a finished one. */
  async find(tx: Transaction, scope: WorkspaceScope, id: string): Promise<KnownNotice | undefined> {
    const [row] = await tx.query<KnownNotice & Record<string, unknown>>(
      'SELECT kind, subject_id AS "subjectId", to_email AS "to" FROM notices WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, id],
    );
    return row;
  }

  /** Queues mails. A purpose that already has its mail gets no second one. */
  async add(tx: Transaction, scope: WorkspaceScope, mails: readonly NewNotice[], now: Date): Promise<void> {
    if (mails.length === 0) return;
    await tx.execute(ADD, [
      scope.workspaceId,
      now,
      mails.map(() => uuidv7(now.getTime())),
      mails.map(({ purpose }) => purpose),
      mails.map(({ subjectId }) => subjectId),
      mails.map(({ to }) => to),
      mails.map(({ notice }) => JSON.stringify(notice)),
      mails.map(({ dueAt }) => dueAt ?? now),
    ]);
  }

  /**
   * Claims due mails, including those of dead processes.
   * @param inFlight mails that this process has already claimed.
   */
  async claim(
    tx: Transaction,
    scope: WorkspaceScope,
    now: Date,
    limit: number,
    inFlight: readonly string[],
  ): Promise<ClaimedNotice[]> {
    const checkAt = new Date(now.getTime() + LIVENESS_CHECK_DELAY_MS);
    const sender = await this.processLease.number();
    return tx.query<ClaimedNotice>(CLAIM, [scope.workspaceId, now, sender, inFlight, limit, checkAt]);
  }

  /** Stores the outcome of a mail, unless another process has taken it over. */
  async store(
    tx: Transaction,
    scope: WorkspaceScope,
    { id, attempts }: Pick<ClaimedNotice, 'id' | 'attempts'>,
    outcome: NoticeOutcome,
    now: Date,
  ): Promise<void> {
    const isClaimed = `workspace_id = $1 AND id = $2 AND status = 'sending'`;
    if (outcome.status === 'queued')
      await tx.execute(
        `UPDATE notices SET status = 'queued', sender = NULL, due_at = $4, error_code = $5, reissues = reissues + $6
         WHERE ${isClaimed} AND attempts = $3`,
        [scope.workspaceId, id, attempts, outcome.at, outcome.code, Number(outcome.reissue)],
      );
    else
      await tx.execute(`UPDATE notices SET ${END}, error_code = $6 WHERE ${isClaimed} AND attempts = $7`, [
        scope.workspaceId,
        id,
        ...ended(outcome.status, now),
        outcome.status === 'failed' ? outcome.code : null,
        attempts,
      ]);
  }

  /** Withdraws mails about a record that were not claimed yet. */
  async withdraw(tx: Transaction, scope: WorkspaceScope, subjectId: string, now: Date): Promise<void> {
    await tx.execute(
      `UPDATE notices SET ${END} WHERE workspace_id = $1 AND subject_id = $2 AND status = 'queued'`,
      [scope.workspaceId, subjectId, ...ended('withdrawn', now)],
    );
  }

  /** Takes a permanently failed mail out of the queue. Its content stays, so that it can be requeued. */
  async markDeadLetter(tx: Transaction, scope: WorkspaceScope, id: string, now: Date): Promise<boolean> {
    const [status, endedAt, deleteAt] = ended('set_aside', now);
    const changed = await tx.execute(
      `UPDATE notices SET status = $3, sender = NULL, ended_at = $4, due_at = $5
       WHERE workspace_id = $1 AND id = $2 AND status IN ('queued', 'sending')`,
      [scope.workspaceId, id, status, endedAt, deleteAt],
    );
    return changed > 0;
  }

  /** Requeues a mail that was taken out. It can then be retried for another day. */
  async requeue(tx: Transaction, scope: WorkspaceScope, id: string, now: Date): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE notices SET status = 'queued', attempts = 0, ended_at = NULL, error_code = NULL, due_at = $3, from_at = $3
       WHERE workspace_id = $1 AND id = $2 AND status = 'set_aside'`,
      [scope.workspaceId, id, now],
    );
    return changed > 0;
  }

  /** Deletes the rows of mails that finished long ago. @returns their ids, at most `limit`. */
  async sweep(tx: Transaction, scope: WorkspaceScope, now: Date, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `DELETE FROM notices WHERE workspace_id = $1 AND id IN (
         SELECT id FROM notices WHERE workspace_id = $1 AND due_at <= $2 AND status = ANY ($3)
         ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [scope.workspaceId, now, ENDED, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The recipients of mails of a kind since a given time, once for each mail. Withdrawn mails do not count. */
  async recipientsSince(
    tx: Transaction,
    scope: WorkspaceScope,
    kind: Notice['kind'],
    since: Date,
  ): Promise<string[]> {
    const rows = await tx.query<{ to: string }>(
      `SELECT to_email AS "to" FROM notices
       WHERE workspace_id = $1 AND kind = $2 AND created_at > $3 AND status <> 'withdrawn'`,
      [scope.workspaceId, kind, since],
    );
    return rows.map(({ to }) => to);
  }

  /** Which of the records have mail of a kind that is not finished, or is a dead letter. */
  async unfinished(
    tx: Transaction,
    scope: WorkspaceScope,
    kind: Notice['kind'],
    subjectIds: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT DISTINCT subject_id AS id FROM notices
       WHERE workspace_id = $1 AND subject_id = ANY ($2::uuid[]) AND kind = $3 AND status IN ('queued', 'sending', 'set_aside')`,
      [scope.workspaceId, subjectIds, kind],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Invitation mails since a given time, to any address. Withdrawn ones count too, because they can be requested again.
   */
  async invitationsSince(tx: Transaction, scope: WorkspaceScope, since: Date): Promise<SentInvitation[]> {
    const kind: Notice['kind'] = 'invitation';
    return tx.query<SentInvitation & Record<string, unknown>>(
      `SELECT to_email AS "to", from_at AS at FROM notices WHERE workspace_id = $1 AND kind = $2 AND created_at > $3`,
      [scope.workspaceId, kind, since],
    );
  }
}

function ended(status: NoticeStatus, now: Date): [NoticeStatus, Date, Date] {
  return [status, now, new Date(now.getTime() + RETENTION_MS)];
}
