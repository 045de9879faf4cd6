/** Recipients and instances as people look at them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';

/** Which recipients are asked for. */
export interface RecipientQuestion {
  /** The instances, those that are cancelled apart. */
  readonly instanceIds: readonly string[];
  /** Null for all; of the messages' own statuses, and whether those who have none are meant. */
  readonly messages: {
    readonly statuses: readonly EmailLogStatus[];
    readonly without: 'skipped' | 'waiting' | null;
  } | null;
  readonly variant: number | null;
  /** Part of the external_id or of the address, in any letter case. */
  readonly search: string | null;
}

export interface RecipientRow {
  readonly instanceId: string;
  readonly contactId: string;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly skipped: string | null;
  readonly variant: number | null;
  readonly emailLogId: string | null;
  readonly status: EmailLogStatus | null;
  readonly suppressedReason: string | null;
  readonly errorCode: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
  readonly bouncedAt: Date | null;
}

const FROM = `
  FROM campaign_recipients r
  LEFT JOIN email_logs l ON l.workspace_id = $1 AND l.id = r.email_log_id
  LEFT JOIN contacts c ON c.workspace_id = $1 AND c.id = r.contact_id
  WHERE r.workspace_id = $1 AND r.environment = $2 AND r.instance_id = ANY ($3::uuid[])
    AND ($4::text[] IS NULL OR l.status = ANY ($4) OR l.id IS NULL AND CASE $5::text
      WHEN 'skipped' THEN r.skipped IS NOT NULL WHEN 'waiting' THEN r.skipped IS NULL ELSE false END)
    AND ($6::int IS NULL OR r.variant = $6)
    AND ($7::text IS NULL OR strpos(lower(c.external_id), lower($7)) > 0 OR strpos(lower(c.email), lower($7)) > 0)`;

@Injectable()
export class CampaignViewsRepository {
  /** A page of recipients, in the order of instances and contacts. */
  async recipients(
    tx: Transaction,
    scope: TenantScope,
    question: RecipientQuestion,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<RecipientRow[]> {
    return tx.query<RecipientRow & object>(
      `SELECT r.instance_id AS "instanceId", r.contact_id AS "contactId", c.external_id AS "externalId", c.email, r.skipped,
         r.variant, r.email_log_id AS "emailLogId", l.status, l.suppressed_reason AS "suppressedReason",
         l.error_code AS "errorCode", l.sent_at AS "sentAt", l.delivered_at AS "deliveredAt", l.opened_at AS "openedAt",
         l.clicked_at AS "clickedAt", l.bounced_at AS "bouncedAt"
       ${FROM} ORDER BY r.instance_id, r.contact_id LIMIT $8 OFFSET $9`,
      [...valuesOf(scope, question), limit, offset],
    );
  }

  /** How many there are. */
  async count(tx: Transaction, scope: TenantScope, question: RecipientQuestion): Promise<number> {
    const [row] = await tx.query<{ readonly total: number }>(
      `SELECT count(*)::int AS total ${FROM}`,
      valuesOf(scope, question),
    );
    return row?.total ?? 0;
  }
}

function valuesOf(
  scope: TenantScope,
  { instanceIds, messages, variant, search }: RecipientQuestion,
): unknown[] {
  return [
    scope.workspaceId,
    scope.environment,
    instanceIds,
    messages?.statuses ?? null,
    messages?.without ?? null,
    variant,
    search,
  ];
}
