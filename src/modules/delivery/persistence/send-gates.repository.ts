/** Messages that gates hold, and the counts for a contact's frequency cap. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CountedMessages, Hold } from '../domain/send-gates.js';

export interface HeldMessage {
  readonly id: string;
  readonly gate: Hold;
  readonly until: Date;
  /** When the message was charged, if that was before it was claimed; otherwise null. */
  readonly chargedBefore: Date | null;
}

@Injectable()
export class SendGatesRepository {
  /**
   * Requeues messages that this transaction has claimed, as if it had not claimed them. A message that holds a slot
   * gives it back, unless it may have left: then the slot counts as used.
   */
  async hold(tx: Transaction, scope: TenantScope, held: readonly HeldMessage[], now: Date): Promise<void> {
    if (held.length === 0) return;
    await tx.execute(
      `WITH spent AS (
         INSERT INTO spent_slots (workspace_id, source_id, environment, used_at, email_log_id)
         SELECT $1, source_id, $2, $3, id FROM email_logs
         WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($4::uuid[]) AND has_slot AND reissues > 0
         ON CONFLICT DO NOTHING)
       UPDATE email_logs l SET status = 'queued', sender = NULL, attempts = l.attempts - 1, has_slot = false,
         waits_for = h.gate, next_attempt_at = h.until, held_until = h.until, updated_at = $3,
         charged_at = h.charged_before
       FROM unnest($4::uuid[], $5::text[], $6::timestamptz[], $7::timestamptz[]) AS h(id, gate, until, charged_before)
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = h.id AND l.status = 'sending'`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        held.map(({ id }) => id),
        held.map(({ gate }) => gate),
        held.map(({ until }) => until),
        held.map(({ chargedBefore }) => chargedBefore),
      ],
      'send-gates-hold',
    );
  }

  /** Makes other transactions that check the caps of these contacts wait until this transaction ends. */
  async lockCaps(tx: Transaction, scope: TenantScope, contactIds: readonly string[]): Promise<void> {
    const names = contactIds.toSorted().map((id) => `cap ${scope.workspaceId} ${id}`);
    await tx.query(
      `SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name`,
      [names],
      'send-gates-lock',
    );
  }

  /** Counts the contacts' messages that count toward the cap since a given time, without those in `besides`. */
  async counted(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    { since, besides }: { readonly since: Date; readonly besides: readonly string[] },
  ): Promise<Map<string, CountedMessages>> {
    const rows = await tx.query<CountedMessages & { readonly contactId: string }>(
      `SELECT contact_id AS "contactId", (count(*) FILTER (WHERE status <> 'sending'))::int AS sent,
         (count(*) FILTER (WHERE status = 'sending'))::int AS "inHand"
       FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = ANY ($3::uuid[]) AND counts AND updated_at > $4
         AND status IN ('sending', 'sent', 'unknown') AND NOT id = ANY ($5::uuid[])
       GROUP BY contact_id`,
      [scope.workspaceId, scope.environment, contactIds, since, besides],
      'send-gates-counted',
    );
    return new Map(rows.map(({ contactId, sent, inHand }) => [contactId, { sent, inHand }]));
  }
}
