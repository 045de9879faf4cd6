/** Whom instances are for. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  integerArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';

export interface NewRecipient {
  readonly contactId: string;
  /** Why it gets no message; null where it gets one. */
  readonly skipped: string | null;
  readonly place: number | null;
  readonly localAt: Date | null;
  readonly variant: number | null;
  readonly emailLogId: string | null;
}

/** What tells when a recipient's message may go. */
export interface TimedRecipient {
  readonly contactId: string;
  readonly place: number;
  readonly localAt: Date | null;
}

@Injectable()
export class CampaignRecipientRepository {
  /** Adds recipients; one who is there already is a fault of the caller's, and undoes its transaction. */
  async insert(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    recipients: readonly NewRecipient[],
  ): Promise<void> {
    if (recipients.length === 0) return;
    await tx.execute(
      `INSERT INTO campaign_recipients (workspace_id, environment, instance_id, contact_id, skipped, place, local_at, variant, email_log_id)
       SELECT $1, $2, $3, u.* FROM unnest($4::uuid[], $5::text[], $6::int[], $7::timestamptz[], $8::int[], $9::uuid[]) AS u`,
      [
        scope.workspaceId,
        scope.environment,
        instanceId,
        uuidArray(recipients.map(({ contactId }) => contactId)),
        textArray(recipients.map(({ skipped }) => skipped)),
        integerArray(recipients.map(({ place }) => place)),
        momentArray(recipients.map(({ localAt }) => localAt)),
        integerArray(recipients.map(({ variant }) => variant)),
        uuidArray(recipients.map(({ emailLogId }) => emailLogId)),
      ],
      'campaign-recipients-insert',
    );
  }

  /** Of which instances these messages are, each to its contact; those of none are left out. */
  async ofMessages(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly { readonly contactId: string; readonly messageId: string }[],
  ): Promise<{ readonly instanceId: string; readonly contactId: string }[]> {
    return tx.query<{ instanceId: string; contactId: string }>(
      `SELECT r.instance_id AS "instanceId", r.contact_id AS "contactId" FROM unnest($3::uuid[], $4::uuid[]) AS u(contact_id, id)
       JOIN campaign_recipients r ON r.workspace_id = $1 AND r.environment = $2 AND r.contact_id = u.contact_id
         AND r.email_log_id = u.id`,
      [
        scope.workspaceId,
        scope.environment,
        messages.map(({ contactId }) => contactId),
        messages.map(({ messageId }) => messageId),
      ],
      'campaign-recipients-of-messages',
    );
  }

  /** When the messages of these contacts may go. */
  async timed(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    contactIds: readonly string[],
  ): Promise<TimedRecipient[]> {
    return tx.query<TimedRecipient & object>(
      `SELECT contact_id AS "contactId", coalesce(place, 0) AS place, local_at AS "localAt" FROM campaign_recipients
       WHERE workspace_id = $1 AND environment = $2 AND instance_id = $3 AND contact_id = ANY ($4::uuid[])`,
      [scope.workspaceId, scope.environment, instanceId, contactIds],
      'campaign-recipients-timed',
    );
  }
}
