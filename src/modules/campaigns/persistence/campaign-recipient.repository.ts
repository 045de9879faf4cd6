/** The recipients of instances. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  integerArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { NewRecipient } from '../domain/audience-chunk.js';

/** The fields that determine when a recipient's message is due. */
export interface TimedRecipient {
  readonly contactId: string;
  readonly place: number;
  readonly localAt: Date | null;
  readonly isRest: boolean;
}

/** A contact's event that a test may count. */
export interface ConversionCandidate {
  readonly instanceId: string;
  readonly contactId: string;
  readonly at: Date;
}

@Injectable()
export class CampaignRecipientRepository {
  /** Adds recipients. A recipient that exists is the caller's mistake, and rolls back the transaction. */
  async insert(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    recipients: readonly NewRecipient[],
  ): Promise<void> {
    if (recipients.length === 0) return;
    await tx.execute(
      `INSERT INTO campaign_recipients (workspace_id, environment, instance_id, contact_id, skipped, place, local_at, variant, email_log_id, is_rest)
       SELECT $1, $2, $3, u.* FROM unnest($4::uuid[], $5::text[], $6::int[], $7::timestamptz[], $8::int[], $9::uuid[], $10::boolean[]) AS u`,
      [
        scope.workspaceId,
        scope.environment,
        instanceId,
        uuidArray(recipients.map(({ contactId }) => contactId)),
        textArray(recipients.map(({ skipped }) => skipped)),
        integerArray(recipients.map(({ sendIndex: sendIndex }) => sendIndex)),
        momentArray(recipients.map(({ localAt }) => localAt)),
        integerArray(recipients.map(({ variant }) => variant)),
        uuidArray(recipients.map(({ emailLogId }) => emailLogId)),
        recipients.map(({ isRest }) => isRest),
      ],
      'campaign-recipients-insert',
    );
  }

  /** Returns the instance and contact of each message; omits messages without an instance. */
  async ofMessages(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly { readonly contactId: string; readonly messageId: string }[],
  ): Promise<{ readonly instanceId: string; readonly contactId: string }[]> {
    return tx.query<{ instanceId: string; contactId: string }>(
      `SELECT r.instance_id AS "instanceId", r.contact_id AS "contactId" FROM unnest($3::uuid[], $4::uuid[]) AS u(contact_id, id)
       JOIN campaign_recipients r ON r.workspace_id = $1 AND r.environment = $2 AND r.contact_id = u.contact_id
         AND r.email_log_id = u.id
       JOIN email_logs l ON l.workspace_id = $1 AND l.id = u.id AND l.unsubscribed_at IS NULL`,
      [
        scope.workspaceId,
        scope.environment,
        messages.map(({ contactId }) => contactId),
        messages.map(({ messageId }) => messageId),
      ],
      'campaign-recipients-of-messages',
    );
  }

  /** Returns the fields that determine when the messages of these contacts are due. */
  async timed(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    contactIds: readonly string[],
  ): Promise<TimedRecipient[]> {
    return tx.query<TimedRecipient & object>(
      `SELECT contact_id AS "contactId", coalesce(place, 0) AS place, local_at AS "localAt", is_rest AS "isRest" FROM campaign_recipients
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3 AND contact_id = ANY ($4::uuid[])`,
      [scope.workspaceId, scope.environment, instanceId, contactIds],
      'campaign-recipients-timed',
    );
  }

  /** Returns the next recipients that wait for the winner, ordered by contact. The campaign is locked. */
  async rest(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    limit: number,
  ): Promise<TimedRecipient[]> {
    return tx.query<TimedRecipient & object>(
      `SELECT contact_id AS "contactId", coalesce(place, 0) AS place, local_at AS "localAt", is_rest AS "isRest"
       FROM campaign_recipients
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3 AND is_rest AND variant IS NULL
       ORDER BY contact_id LIMIT $4`,
      [scope.workspaceId, scope.environment, instanceId, limit],
      'campaign-recipients-rest',
    );
  }

  /** Assigns the winner and a message to each of these recipients. */
  async assignWinner(
    tx: Transaction,
    scope: TenantScope,
    { instanceId, winner }: { readonly instanceId: string; readonly winner: number },
    messages: readonly { readonly id: string; readonly contactId: string }[],
  ): Promise<void> {
    await tx.execute(
      `UPDATE campaign_recipients r SET variant = $4, email_log_id = u.id
       FROM unnest($5::uuid[], $6::uuid[]) AS u(contact_id, id)
       WHERE r.workspace_id = $1 AND r.environment = $2 AND r.instance_id = $3 AND r.contact_id = u.contact_id`,
      [
        ...[scope.workspaceId, scope.environment, instanceId, winner],
        uuidArray(messages.map(({ contactId }) => contactId)),
        uuidArray(messages.map(({ id }) => id)),
      ],
      'campaign-recipients-winner',
    );
  }

  /**
   * Records conversions, once per recipient: within the window after the message, or, for the holdout group, after the
   * start.
   * @returns the recipients that had not converted before.
   */
  async convert(
    tx: Transaction,
    scope: TenantScope,
    candidates: readonly ConversionCandidate[],
  ): Promise<{ readonly instanceId: string; readonly contactId: string }[]> {
    return tx.query<{ instanceId: string; contactId: string }>(
      `WITH done AS (
         SELECT DISTINCT ON (u.instance_id, u.contact_id) u.instance_id, u.contact_id, u.at
         FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) AS u(instance_id, contact_id, at)
         JOIN campaign_instances i ON i.workspace_id = $1 AND i.environment = $2 AND i.id = u.instance_id
         JOIN campaign_recipients r ON r.workspace_id = $1 AND r.instance_id = u.instance_id AND r.contact_id = u.contact_id
         LEFT JOIN email_logs l ON l.workspace_id = $1 AND l.id = r.email_log_id
         WHERE r.converted_at IS NULL AND NOT r.is_rest AND (r.skipped = 'holdout' OR r.variant IS NOT NULL)
           AND u.at >= coalesce(l.sent_at, CASE WHEN r.email_log_id IS NULL THEN i.started_at END)
           AND u.at < coalesce(l.sent_at, i.started_at)
             + make_interval(hours => (i.content #>> '{ab_test,goal,window_hours}')::int)
         ORDER BY u.instance_id, u.contact_id, u.at)
       UPDATE campaign_recipients r SET converted_at = done.at FROM done
       WHERE r.workspace_id = $1 AND r.instance_id = done.instance_id AND r.contact_id = done.contact_id
         AND r.converted_at IS NULL
       RETURNING r.instance_id AS "instanceId", r.contact_id AS "contactId"`,
      [
        ...[scope.workspaceId, scope.environment],
        uuidArray(candidates.map(({ instanceId }) => instanceId)),
        uuidArray(candidates.map(({ contactId }) => contactId)),
        momentArray(candidates.map(({ at }) => at)),
      ],
      'campaign-recipients-convert',
    );
  }
}
