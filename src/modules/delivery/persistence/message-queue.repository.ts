/** Operations on the ledger's queue other than sending: enqueue, cancel, give up and requeue messages. */
import { Inject, Injectable } from '@nestjs/common';
import { jsonText } from '../../../kernel/json-text.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import {
  integerArray,
  jsonbArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  messageIdOf,
  priorityOf,
  type MessageState,
  type NewEmailLog,
  type Recipient,
  type SharedMessage,
} from '../domain/email-log.js';
import type { EmailOriginKind } from '../domain/email-origin.js';
import type { FailureCode } from '../domain/send-decision.js';
import { countsForCap } from '../domain/send-gates.js';
import { UNKNOWN_FATE } from '../domain/send-outcome.js';
import { MAX_PERIOD_MS } from '../domain/throttle.js';
import { messageState, statusSql } from './message-state.js';
import { storedOptions } from './stored-options.js';

/** `error_code` of a message in the dead-letter list: a FailureCode. */
const DEAD_LETTER_CODE: FailureCode = 'internal_error';

/**
 * Cancels the few messages that are being sent. It skips rows whose outcome is being stored: that transaction may wait
 * for the same trips as the one that cancels.
 */
const CANCEL_SENDING = `
  WITH sending AS MATERIALIZED (
    SELECT id, origin, origin_id FROM email_logs WHERE workspace_id = $1 AND environment = $2 AND status = 'sending'),
  asked AS (
    SELECT id FROM sending WHERE origin_id = ANY ($3::uuid[]) AND origin = $4
    UNION ALL
    SELECT s.id FROM sending s JOIN email_logs o ON o.workspace_id = $1 AND o.id = s.origin_id
    WHERE s.origin = 'resend' AND o.origin_id = ANY ($3::uuid[]) AND o.origin = $4),
  meant AS (
    SELECT id FROM email_logs
    WHERE workspace_id = $1 AND id IN (SELECT id FROM asked)
    FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE email_logs l SET called_off = true FROM meant WHERE l.workspace_id = $1 AND l.id = meant.id AND l.status = 'sending'`;

/** A message that is not retried and may have left with its slot has used the slot. */
const slotIsUsed = (now: string): string =>
  `slot_at = CASE WHEN l.has_slot AND l.reissues > 0 THEN ${now} ELSE l.slot_at END`;

@Injectable()
export class MessageQueueRepository {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {}

  /**
   * Queues messages, due immediately. If the origin already has its message, no second one is added: see
   * domain/email-origin.
   */
  async enqueue(tx: Transaction, scope: TenantScope, logs: readonly NewEmailLog[], now: Date): Promise<void> {
    if (logs.length === 0) return;
    const domain = this.config.sharedSendingDomain;
    await tx.execute(
      `INSERT INTO email_logs (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, source_id,
         origin, origin_id, origin_step, contact_id, trigger_event_id, template_slug, content_type, priority, options, message_id, counts)
       SELECT $1, $2, 'queued', $3, $3, $3, u.* FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::int[],
         $9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::int[], $14::jsonb[], $15::text[], $16::boolean[]) AS u
       ON CONFLICT (workspace_id, origin_id, origin_step, origin, contact_id) DO NOTHING`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        uuidArray(logs.map((log) => log.id)),
        uuidArray(logs.map((log) => log.sourceId)),
        textArray(logs.map((log) => log.origin)),
        uuidArray(logs.map((log) => log.originId)),
        integerArray(logs.map((log) => log.originStep)),
        uuidArray(logs.map((log) => log.contactId)),
        uuidArray(logs.map((log) => log.triggerEventId)),
        textArray(logs.map((log) => log.templateSlug)),
        textArray(logs.map((log) => log.contentType)),
        integerArray(logs.map((log) => priorityOf(log.contentType))),
        jsonbArray(logs.map((log) => jsonText(storedOptions(log.options)))),
        textArray(logs.map((log) => messageIdOf(log.id, domain))),
        logs.map((log) => countsForCap(log.options.emailSendSettings)),
      ],
      'email-logs-enqueue',
    );
  }

  /** Queues one message for each of many contacts. A contact that already has the message gets no second one. */
  async enqueueForEach(
    tx: Transaction,
    scope: TenantScope,
    message: SharedMessage,
    recipients: readonly Recipient[],
    now: Date,
  ): Promise<void> {
    if (recipients.length === 0) return;
    await tx.execute(
      `INSERT INTO email_logs (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, source_id,
         origin, origin_id, origin_step, contact_id, template_slug, content_type, priority, options, message_id, counts)
       SELECT $1, $2, 'queued', u.at, $3, $3, u.id, $6, $7, $8, $9, u.contact_id, $10, $11, $12, $13,
         '<' || u.id || '@' || $14::text || '>', $15
       FROM unnest($4::uuid[], $5::uuid[], $16::timestamptz[]) AS u(id, contact_id, at)
       ON CONFLICT (workspace_id, origin_id, origin_step, origin, contact_id) DO NOTHING`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        uuidArray(recipients.map(({ id }) => id)),
        uuidArray(recipients.map(({ contactId }) => contactId)),
        message.sourceId,
        message.origin,
        message.originId,
        message.originStep,
        message.templateSlug,
        message.contentType,
        priorityOf(message.contentType),
        jsonText(storedOptions(message.options)),
        this.config.sharedSendingDomain,
        countsForCap(message.options.emailSendSettings),
        momentArray(recipients.map(({ at }) => at)),
      ],
      'email-logs-enqueue-for-each',
    );
  }

  /** Adds one message, queued or already suppressed. Returns it as if it had been queued before. */
  async insert(
    tx: Transaction,
    scope: TenantScope,
    log: NewEmailLog,
    initial: {
      readonly suppressedReason: string | null;
      readonly toEmail: string | null;
      readonly chargedAt: Date | null;
    },
    now: Date,
  ): Promise<MessageState> {
    const [state] = await tx.query<MessageState>(
      `INSERT INTO email_logs AS l (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, source_id,
         origin, origin_id, origin_step, contact_id, trigger_event_id, template_slug, content_type, priority, options,
         message_id, counts, suppressed_reason, to_email, charged_at)
       VALUES ($1, $2, CASE WHEN $16::text IS NULL THEN 'queued' ELSE 'suppressed' END, $3, $3, $3, $4, $5, $6, $7, $8, $9, $10,
         $11, $12, $13, $14, $15, $19, $16, $17, $18) RETURNING ${messageState(statusSql('queued'))}`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        log.id,
        log.sourceId,
        log.origin,
        log.originId,
        log.originStep,
        log.contactId,
        log.triggerEventId,
        log.templateSlug,
        log.contentType,
        priorityOf(log.contentType),
        jsonText(storedOptions(log.options)),
        messageIdOf(log.id, this.config.sharedSendingDomain),
        initial.suppressedReason,
        initial.suppressedReason === null ? null : initial.toEmail,
        initial.chargedAt,
        countsForCap(log.options.emailSendSettings),
      ],
      'email-logs-insert',
    );
    if (!state) throw new TypeError('An insert gives its row.');
    return state;
  }

  /**
   * Cancels the messages of these origins, and repetitions that people requested, if no attempt is in progress. Returns
   * the messages. An attempt in progress becomes the last one.
   */
  async cancelQueued(
    tx: Transaction,
    scope: TenantScope,
    origin: EmailOriginKind,
    originIds: readonly string[],
    now: Date,
  ): Promise<MessageState[]> {
    if (originIds.length === 0) return [];
    await tx.execute(
      CANCEL_SENDING,
      [scope.workspaceId, scope.environment, originIds, origin],
      'email-logs-call-off',
    );
    const values = [scope.workspaceId, scope.environment, originIds, now, origin];
    const cancelled = await tx.query<MessageState>(
      `UPDATE email_logs l SET status = 'cancelled', updated_at = $4, ${slotIsUsed('$4')}
       WHERE workspace_id = $1 AND environment = $2 AND origin_id = ANY ($3::uuid[]) AND origin = $5 AND status = 'queued'
       RETURNING ${messageState(statusSql('queued'))}`,
      values,
      'email-logs-cancel',
    );
    const repeated = await tx.query<MessageState>(
      `UPDATE email_logs l SET status = 'cancelled', updated_at = $4, ${slotIsUsed('$4')}
       FROM email_logs o
       WHERE o.workspace_id = $1 AND o.environment = $2 AND o.origin_id = ANY ($3::uuid[]) AND o.origin = $5
         AND l.workspace_id = $1 AND l.environment = $2 AND l.origin_id = o.id AND l.origin = 'resend' AND l.status = 'queued'
       RETURNING ${messageState(statusSql('queued'))}`,
      values,
      'email-logs-cancel-repeated',
    );
    return [...cancelled, ...repeated];
  }

  /** Messages of a flow that are being sent. With `among`, only these. */
  async listSending(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    among: readonly string[] | undefined,
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND status = 'sending' AND origin IN ('trip', 'resend') AND source_id = $3
         AND ($4::uuid[] IS NULL OR id = ANY ($4))`,
      [scope.workspaceId, scope.environment, flowId, among ?? null],
    );
    return rows.map(({ id }) => id);
  }

  /** Cancels messages that this transaction has claimed, as if it had not claimed them. */
  async cancelClaimed(
    tx: Transaction,
    scope: TenantScope,
    claimed: readonly { readonly id: string; readonly chargedBefore: Date | null }[],
    now: Date,
  ): Promise<MessageState[]> {
    return tx.query<MessageState>(
      `UPDATE email_logs l SET status = 'cancelled', sender = NULL, attempts = l.attempts - 1, updated_at = $4,
         ${slotIsUsed('$4')}, has_slot = false, charged_at = t.charged_before
       FROM unnest($3::uuid[], $5::timestamptz[]) AS t(id, charged_before)
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = t.id AND l.status = 'sending'
       RETURNING ${messageState(statusSql('queued'))}`,
      [
        scope.workspaceId,
        scope.environment,
        claimed.map(({ id }) => id),
        now,
        claimed.map(({ chargedBefore }) => chargedBefore),
      ],
    );
  }

  /** Cancels those of the messages that are queued for another attempt. */
  async cancelRequeued(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    now: Date,
  ): Promise<MessageState[]> {
    return tx.query<MessageState>(
      `UPDATE email_logs l SET status = 'cancelled', updated_at = $4, ${slotIsUsed('$4')}
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND status = 'queued'
       RETURNING ${messageState(statusSql('queued'))}`,
      [scope.workspaceId, scope.environment, ids, now],
    );
  }

  /**
   * Queues a message with an unknown outcome again, as one that may have left before: the slot that it used stays used.
   * Returns nothing if the outcome was not unknown.
   */
  async requeueUnknown(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<MessageState[]> {
    return tx.query<MessageState>(
      `WITH found AS MATERIALIZED (
         SELECT id, source_id, slot_at FROM email_logs
         WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND status = 'unknown' FOR NO KEY UPDATE),
       forgotten AS (
         DELETE FROM spent_slots s USING found f
         WHERE s.workspace_id = $1 AND s.environment = $2 AND s.source_id = f.source_id AND s.used_at <= $5),
       spent AS (
         INSERT INTO spent_slots (workspace_id, source_id, environment, used_at, email_log_id)
         SELECT $1, source_id, $2, slot_at, id FROM found WHERE source_id IS NOT NULL AND slot_at > $5
         ON CONFLICT DO NOTHING)
       UPDATE email_logs l SET status = 'queued', reissues = l.reissues + 1, next_attempt_at = $4, updated_at = $4,
         slot_at = NULL, called_off = false, insisted = true
       FROM found WHERE l.workspace_id = $1 AND l.id = found.id
       RETURNING ${messageState(statusSql('unknown'))}`,
      [scope.workspaceId, scope.environment, id, now, new Date(now.getTime() - MAX_PERIOD_MS)],
    );
  }

  /**
   * Gives up a queued message: it becomes failed, or unknown if an earlier attempt may have left. Returns nothing if
   * the message is no longer queued.
   */
  async markDeadLetter(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<MessageState[]> {
    return tx.query<MessageState>(
      `UPDATE email_logs l SET updated_at = $4, has_slot = false, ${slotIsUsed('$4')},
         status = CASE WHEN reissues > 0 THEN 'unknown' ELSE 'failed' END,
         error_code = CASE WHEN reissues > 0 THEN '${UNKNOWN_FATE}' ELSE '${DEAD_LETTER_CODE}' END
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND status = 'queued'
       RETURNING ${messageState(statusSql('queued'))}`,
      [scope.workspaceId, scope.environment, id, now],
    );
  }

  /**
   * The current state of a message, as if an attempt had just ended with it; undefined when there is no such message.
   */
  async stateOf(tx: Transaction, scope: TenantScope, id: string): Promise<MessageState | undefined> {
    const [state] = await tx.query<MessageState>(
      `SELECT ${messageState(statusSql('sending'))} FROM email_logs l
       WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return state;
  }

  /** Requeues a message that a fault of the product kept from being sent. Returns nothing for any other message. */
  async requeueDeadLetter(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    now: Date,
  ): Promise<MessageState[]> {
    return tx.query<MessageState>(
      `UPDATE email_logs l SET status = 'queued', next_attempt_at = $4, error_code = NULL, error_detail = NULL, updated_at = $4,
         charged_at = NULL, called_off = false, insisted = true
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND status = 'failed' AND error_code = '${DEAD_LETTER_CODE}'
       RETURNING ${messageState(statusSql('failed'))}`,
      [scope.workspaceId, scope.environment, id, now],
    );
  }
}
