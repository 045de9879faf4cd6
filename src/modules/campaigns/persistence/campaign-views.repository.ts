/** Recipients joined with their messages, for lists. */
import { Injectable } from '@nestjs/common';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';

/** The filter of a recipient list. */
export interface RecipientCriteria {
  /** One condition for cancelled instances, and one for all others. */
  readonly groups: readonly {
    readonly instanceIds: readonly string[];
    /** Statuses of messages; null for any status, including recipients without a message. */
    readonly statuses: readonly EmailLogStatus[] | null;
    /** Which recipients without a message also match. */
    readonly without: 'skipped' | 'waiting' | null;
  }[];
  readonly variant: number | null;
  /** Part of the external_id or the address, case-insensitive. */
  readonly search: string | null;
}

export interface RecipientPage {
  readonly limit: number;
  readonly offset: number;
  /** The page starts after this recipient, given by instance and contact. */
  readonly after?: PageCursor | null;
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

/** The condition of a group, with parameters from this number on. */
const group = (first: number): string => `
  r.instance_id = ANY ($${first}::uuid[]) AND ($${first + 1}::text[] IS NULL OR l.status = ANY ($${first + 1})
    OR l.id IS NULL AND (r.skipped IS NULL) = ($${first + 2}::text = 'waiting') AND $${first + 2} IS NOT NULL)`;

const FOUND = `
  FROM campaign_recipients r
  LEFT JOIN email_logs l ON l.workspace_id = $1 AND l.id = r.email_log_id
  LEFT JOIN contacts c ON c.workspace_id = $1 AND c.id = r.contact_id
  WHERE r.workspace_id = $1 AND r.environment = $2 AND r.instance_id = ANY ($3::uuid[] || $6::uuid[])
    AND (${group(3)} OR ${group(6)})
    AND ($9::int IS NULL OR r.variant = $9)
    AND ($10::text IS NULL OR strpos(lower(c.external_id), lower($10)) > 0 OR strpos(lower(c.email), lower($10)) > 0)`;

/** Selects the page's keys first, so that joined rows are read for this page only, however deep it is. */
const pageOf = (from: string): string => `
  WITH page AS MATERIALIZED (
    SELECT r.instance_id, r.contact_id ${from} AND ($13::uuid IS NULL OR (r.instance_id, r.contact_id) > ($13, $14::uuid))
    ORDER BY r.instance_id, r.contact_id LIMIT $11 OFFSET $12)
  SELECT r.instance_id AS "instanceId", r.contact_id AS "contactId", c.external_id AS "externalId", c.email, r.skipped,
    r.variant, r.email_log_id AS "emailLogId", l.status, l.suppressed_reason AS "suppressedReason",
    l.error_code AS "errorCode", l.sent_at AS "sentAt", l.delivered_at AS "deliveredAt", l.opened_at AS "openedAt",
    l.clicked_at AS "clickedAt", l.bounced_at AS "bouncedAt"
  FROM page JOIN campaign_recipients r ON r.workspace_id = $1 AND r.instance_id = page.instance_id AND r.contact_id = page.contact_id
  LEFT JOIN email_logs l ON l.workspace_id = $1 AND l.id = r.email_log_id
  LEFT JOIN contacts c ON c.workspace_id = $1 AND c.id = r.contact_id
  ORDER BY r.instance_id, r.contact_id`;
const PAGE_OF_FOUND = pageOf(FOUND);
/** Without conditions on joined rows; takes the same parameters. */
const PAGE_OF_ALL = pageOf(`
  FROM campaign_recipients r
  WHERE r.workspace_id = $1 AND r.environment = $2 AND r.instance_id = ANY ($3::uuid[] || $6::uuid[])
    AND ($9::int IS NULL OR r.variant = $9)
    AND coalesce($4::text[], $7::text[]) IS NULL AND coalesce($5::text, $8::text, $10::text) IS NULL`);

@Injectable()
export class CampaignViewsRepository {
  /** Returns a page of recipients, ordered by instance and contact. */
  async recipients(
    tx: Transaction,
    scope: TenantScope,
    criteria: RecipientCriteria,
    { limit, offset, after = null }: RecipientPage,
  ): Promise<RecipientRow[]> {
    const isEverybody =
      criteria.search === null && criteria.groups.every(({ statuses }) => statuses === null);
    return tx.query<RecipientRow & object>(
      isEverybody ? PAGE_OF_ALL : PAGE_OF_FOUND,
      [...valuesOf(scope, criteria), limit, offset, after?.key ?? null, after?.id ?? null],
      isEverybody ? 'campaign-recipients-all' : 'campaign-recipients-found',
    );
  }

  /** Returns the number of matching recipients. */
  async count(tx: Transaction, scope: TenantScope, criteria: RecipientCriteria): Promise<number> {
    const [row] = await tx.query<{ readonly total: number }>(
      `SELECT count(*)::int AS total ${FOUND}`,
      valuesOf(scope, criteria),
    );
    return row?.total ?? 0;
  }

  /** Returns how many messages of each instance are being sent now: a few per process. */
  async inFlight(
    tx: Transaction,
    scope: TenantScope,
    instanceIds: readonly string[],
  ): Promise<Map<string, number>> {
    if (instanceIds.length === 0) return new Map();
    const rows = await tx.query<{ readonly id: string; readonly messages: number }>(
      `SELECT origin_id AS id, count(*)::int AS messages FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND status = 'sending' AND origin = 'campaign' AND origin_id = ANY ($3::uuid[])
       GROUP BY origin_id`,
      [scope.workspaceId, scope.environment, instanceIds],
    );
    return new Map(rows.map(({ id, messages }) => [id, messages]));
  }
}

function valuesOf(scope: TenantScope, { groups, variant, search }: RecipientCriteria): unknown[] {
  const [one, other] = groups;
  const parameters = [one, other].flatMap((some) => [
    some?.instanceIds ?? [],
    some?.statuses ?? null,
    some?.without ?? null,
  ]);
  return [scope.workspaceId, scope.environment, ...parameters, variant, search];
}
