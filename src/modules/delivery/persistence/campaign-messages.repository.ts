/** The queued messages of one campaign instance, read in chunks in the order of their contacts. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { momentArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CampaignChunk, WaitingKind } from '../domain/campaign-chunk.js';
import type { MessageState } from '../domain/email-log.js';
import { NEVER_DUE } from '../domain/send-gates.js';
import { messageState, statusSql } from './message-state.js';

export interface WaitingMessage {
  readonly id: string;
  readonly contactId: string;
}

const KINDS: Readonly<Record<WaitingKind, string>> = {
  held: `AND waits_for = 'campaign_pause'`,
  free: `AND waits_for IS DISTINCT FROM 'campaign_pause'`,
  all: '',
};

@Injectable()
export class CampaignMessagesRepository {
  /**
   * Locks and returns the next queued messages after a contact. Of messages that are not held, it skips those that
   * another transaction is claiming: that transaction may be waiting for this one, and reads the campaign's state
   * itself.
   */
  async waiting(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    { kind, after, limit }: CampaignChunk,
  ): Promise<WaitingMessage[]> {
    return tx.query<WaitingMessage & object>(
      `SELECT id, contact_id AS "contactId" FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND origin_id = $3 AND origin_step = 0 AND origin = 'campaign'
         AND ($4::uuid IS NULL OR contact_id > $4) AND status = 'queued' ${KINDS[kind]}
       ORDER BY contact_id LIMIT $5 FOR NO KEY UPDATE ${kind === 'held' ? '' : 'SKIP LOCKED'}`,
      [scope.workspaceId, scope.environment, instanceId, after, limit],
      `campaign-messages-waiting-${kind}`,
    );
  }

  /** Holds queued messages until they are released. */
  async hold(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    await tx.execute(
      `UPDATE email_logs SET waits_for = 'campaign_pause', next_attempt_at = $4, held_until = $4, updated_at = $5
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND status = 'queued'`,
      [scope.workspaceId, scope.environment, uuidArray(ids), NEVER_DUE, now],
      'campaign-messages-hold',
    );
  }

  /** Releases held messages, each at its own time. */
  async release(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly { readonly id: string; readonly at: Date }[],
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE email_logs l SET waits_for = NULL, next_attempt_at = u.at, held_until = u.at, updated_at = $5
       FROM unnest($3::uuid[], $4::timestamptz[]) AS u(id, at)
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = u.id AND l.status = 'queued'`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(messages.map(({ id }) => id)),
        momentArray(messages.map(({ at }) => at)),
        now,
      ],
      'campaign-messages-release',
    );
  }

  /** Cancels queued messages. One that may have left in an earlier attempt has used its throttle slot. */
  async cancel(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    now: Date,
  ): Promise<MessageState[]> {
    return tx.query<MessageState>(
      `UPDATE email_logs l SET status = 'cancelled', updated_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND status = 'queued'
       RETURNING ${messageState(statusSql('queued'))}`,
      [scope.workspaceId, scope.environment, uuidArray(ids), now],
      'campaign-messages-cancel',
    );
  }
}
