/** Engagement with sent messages, in the ledger. */
import { Injectable } from '@nestjs/common';
import type { Environment, TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ClickMark, Engagement } from '../domain/engagement.js';
import type { MessageState } from '../domain/email-log.js';
import { messageState } from './message-state.js';

/** The tenant that a message belongs to. */
export interface MessageTenant {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: Environment;
}

/** A message as the history of an address shows it. */
export type SentMessageSummary = Pick<
  Engagement,
  'deliveredAt' | 'openedAt' | 'clickedAt' | 'bouncedAt' | 'bounceKind' | 'complainedAt'
> & {
  readonly contactId: string;
  readonly toEmail: string | null;
  readonly sentAt: Date;
};

/** Click marks as they are stored: `[at, link, 1 for a machine]`. */
export type StoredMarks = readonly (readonly [at: number, link: string, machine: 0 | 1])[];

/** SQL columns of an Engagement, from rows of the ledger. */
export const ENGAGEMENT_COLUMNS = `delivered_at AS "deliveredAt", opened_at AS "openedAt", opens,
  machine_opens AS "machineOpens", clicked_at AS "clickedAt", clicks, machine_clicks AS "machineClicks",
  click_marks AS "clickMarks", bounced_at AS "bouncedAt", bounce_kind AS "bounceKind", bounce_code AS "bounceCode",
  bounce_detail AS "bounceDetail", complained_at AS "complainedAt"`;

export function marksOf(stored: StoredMarks): ClickMark[] {
  return stored.map(([at, link, machine]) => ({ at, link, isMachine: machine === 1 }));
}

function storedMarks(marks: readonly ClickMark[]): StoredMarks {
  return marks.map(({ at, link, isMachine }) => [at, link, isMachine ? 1 : 0]);
}

@Injectable()
export class EngagementRepository {
  constructor(private readonly database: Database) {}

  /** The tenants of messages, read with the dispatcher's role. Messages that do not exist are left out. */
  async tenantsOf(ids: readonly string[]): Promise<MessageTenant[]> {
    return this.database.acrossTenants<MessageTenant>(
      'SELECT id, workspace_id AS "workspaceId", environment FROM email_logs WHERE id = ANY ($1::uuid[])',
      [ids],
    );
  }

  /** Stores the engagement of messages. Nothing else in their rows changes. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly { readonly id: string; readonly engagement: Engagement }[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const column = <Value>(of: (engagement: Engagement) => Value): Value[] =>
      changes.map(({ engagement }) => of(engagement));
    await tx.execute(
      `UPDATE email_logs l SET delivered_at = e.delivered_at, opened_at = e.opened_at, opens = e.opens,
         machine_opens = e.machine_opens, clicked_at = e.clicked_at, clicks = e.clicks, machine_clicks = e.machine_clicks,
         click_marks = e.click_marks, bounced_at = e.bounced_at, bounce_kind = e.bounce_kind, bounce_code = e.bounce_code,
         bounce_detail = e.bounce_detail, complained_at = e.complained_at
       FROM unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::int[], $8::timestamptz[], $9::int[],
         $10::int[], $11::jsonb[], $12::timestamptz[], $13::text[], $14::text[], $15::text[], $16::timestamptz[])
         AS e(id, delivered_at, opened_at, opens, machine_opens, clicked_at, clicks, machine_clicks, click_marks, bounced_at,
           bounce_kind, bounce_code, bounce_detail, complained_at)
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = e.id`,
      [
        scope.workspaceId,
        scope.environment,
        changes.map(({ id }) => id),
        column((e) => e.deliveredAt),
        column((e) => e.openedAt),
        column((e) => e.opens),
        column((e) => e.machineOpens),
        column((e) => e.clickedAt),
        column((e) => e.clicks),
        column((e) => e.machineClicks),
        column((e) => JSON.stringify(storedMarks(e.clickMarks))),
        column((e) => e.bouncedAt),
        column((e) => e.bounceKind),
        column((e) => e.bounceCode),
        column((e) => e.bounceDetail),
        column((e) => e.complainedAt),
      ],
      'email-logs-engage',
    );
  }

  /** Records that recipients used the unsubscribe links of messages. Only the first time is stored. */
  async markUnsubscribed(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE email_logs SET unsubscribed_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND unsubscribed_at IS NULL`,
      [scope.workspaceId, scope.environment, ids, now],
    );
  }

  /**
   * Marks messages with an unknown outcome, and those queued because of it, as sent: feedback proved that they left.
   * The caller must hold their locks.
   */
  async proveSent(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    now: Date,
  ): Promise<MessageState[]> {
    if (ids.length === 0) return [];
    return tx.query<MessageState>(
      `WITH known AS (
         SELECT id, status AS before FROM email_logs
         WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])
           AND (status = 'unknown' OR status = 'queued' AND reissues > 0))
       UPDATE email_logs l SET status = 'sent', sent_at = $4, updated_at = $4, error_code = NULL, error_detail = NULL,
         waits_for = NULL, has_slot = false,
         slot_at = CASE WHEN l.has_slot OR l.slot_at IS NULL THEN $4 ELSE l.slot_at END
       FROM known WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = known.id
       RETURNING ${messageState('known.before')}`,
      [scope.workspaceId, scope.environment, ids, now],
    );
  }

  /** The latest sent messages of each contact, at most `limit` per contact, newest first. */
  async latestOf(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    limit: number,
  ): Promise<SentMessageSummary[]> {
    if (contactIds.length === 0) return [];
    return tx.query<SentMessageSummary>(
      `SELECT told.* FROM unnest($3::uuid[]) AS asked(contact_id), LATERAL (
         SELECT l.contact_id AS "contactId", l.to_email AS "toEmail", l.sent_at AS "sentAt", l.delivered_at AS "deliveredAt",
           l.opened_at AS "openedAt", l.clicked_at AS "clickedAt", l.bounced_at AS "bouncedAt", l.bounce_kind AS "bounceKind",
           l.complained_at AS "complainedAt"
         FROM email_logs l
         WHERE l.workspace_id = $1 AND l.contact_id = asked.contact_id AND l.environment = $2 AND l.status = 'sent'
         ORDER BY l.created_at DESC LIMIT $4) AS told`,
      [scope.workspaceId, scope.environment, contactIds, limit],
    );
  }
}
