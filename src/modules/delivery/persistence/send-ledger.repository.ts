/**
 * The sender's statements on the ledger, each for a whole set of rows: claim due messages with the data that their
 * attempts need, store the outcomes of attempts, and take over messages from dead processes.
 */
import type { ContentType } from '../../../kernel/email-settings.js';
import { Injectable } from '@nestjs/common';
import type { SnakeKeys } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { ClaimedSend, FinishedSend } from '../domain/claimed-send.js';
import type { MessageState } from '../domain/email-log.js';
import { trackingBitsOf } from '../../tracking/domain/tracking-settings.js';
import { storableDetail } from '../domain/storable-detail.js';
import { statusAfter, UNKNOWN_FATE, type SendOutcome } from '../domain/send-outcome.js';
import { EMAIL_LOG_STATUSES, mayBecome, type EmailLogStatus } from '../domain/email-log-transitions.js';
import { messageState, STEP_OF_MESSAGE, statusSql } from './message-state.js';
import { optionsOf, triggerEventOf, type StoredOptions } from './stored-options.js';

/** A message that was left in the status `sending`. */
export interface AbandonedSend {
  readonly id: string;
  readonly contentType: ContentType;
  readonly reissues: number;
  /** Whether this process claimed the message but never got the result of that claim. */
  readonly isOwn: boolean;
}

/**
 * A claimed message before the gates are checked and before the contact's opt-outs, choices and suppressions are read.
 */
export type DueSend = Omit<ClaimedSend, 'hasRefused' | 'suppressedFor' | 'objection' | 'refusedBy'> & {
  /**
   * The trip whose message is retried automatically. Null for a first attempt, and when a person requested the retry.
   */
  readonly askedAgainOf: string | null;
  /** The campaign of the message. Null for any other message, also for one that repeats a campaign's message. */
  readonly campaignId: string | null;
  /**
   * When the message was charged to the month's emails before this claim, which also charges it; null if it was not.
   */
  readonly chargedBefore: Date | null;
};

type ClaimedRow = Omit<DueSend, 'sender' | 'contact' | 'triggerEvent' | 'options'> & {
  readonly options: StoredOptions;
  readonly contact: RawContact | null;
  readonly eventName: string | null;
  readonly attributes: Record<string, unknown> | null;
};
type RawContact = SnakeKeys<Omit<Contact, 'createdAt' | 'updatedAt'>> & {
  readonly created_at: string;
  readonly updated_at: string;
};

/** How many messages to claim. */
export interface ClaimRequest {
  readonly all: number;
  /** The maximum of promotional messages among them. */
  readonly promotional: number;
  /** How many of the promotional ones go before transactional ones if they have been due for OVERDUE_MS. */
  readonly overdue: number;
}

/** Milliseconds after which some due promotional messages no longer wait for transactional ones. */
const OVERDUE_MS = 60_000;

const due = (priority: number, limit: string, condition = 'next_attempt_at <= $3'): string => `
  SELECT id, charged_at FROM email_logs
  WHERE workspace_id = $1 AND environment = $2 AND status = 'queued' AND priority = ${priority} AND ${condition}
  ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;

/**
 * Transactional messages go first, except for a few promotional ones that have waited for a long time. Each priority
 * reads its own range of the index, so no later row is read. Joined data is fetched row by row: otherwise a planner
 * that takes the tenant for small would read all of its contacts.
 */
export const CLAIM = `
  WITH patient AS (${due(1, '$7', 'next_attempt_at <= $8')}),
  first AS (${due(0, '$4 - (SELECT count(*) FROM patient)')}),
  second AS (${due(
    1,
    `least($6 - (SELECT count(*) FROM patient),
      $4 - (SELECT count(*) FROM patient) - (SELECT count(*) FROM first))`,
    'next_attempt_at <= $3 AND id <> ALL (ARRAY(SELECT id FROM patient))',
  )}),
  claimed AS (
    UPDATE email_logs l SET status = 'sending', sender = $5, attempts = l.attempts + 1, waits_for = NULL, updated_at = $3,
      charged_at = coalesce(l.charged_at, $3),
      transport = CASE WHEN l.reissues > 0 AND l.transport = ANY ($10::text[]) THEN l.transport ELSE $9 END
    FROM (SELECT * FROM patient UNION ALL SELECT * FROM first UNION ALL SELECT * FROM second) AS d
    WHERE l.workspace_id = $1 AND l.id = d.id RETURNING l.*, d.charged_at AS charged_before)
  SELECT l.id, l.origin, l.source_id AS "sourceId", ${STEP_OF_MESSAGE} AS "stepId",
    CASE WHEN l.origin = 'trip' AND NOT l.insisted AND (l.attempts > 1 OR l.reissues > 0) THEN l.origin_id END AS "askedAgainOf",
    CASE WHEN l.origin = 'campaign' THEN l.source_id END AS "campaignId", l.has_slot AS "hasSlot", l.contact_id AS "contactId", l.template_slug AS "templateSlug",
    l.content_type AS "contentType", l.options, l.message_id AS "messageId", l.transport, l.attempts, l.reissues,
    greatest(l.created_at, l.held_until) AS "triedSince", to_jsonb(c) AS contact, e.event_name AS "eventName", e.attributes,
    l.charged_before AS "chargedBefore"
  FROM claimed l
  LEFT JOIN LATERAL (SELECT * FROM contacts WHERE workspace_id = $1 AND id = l.contact_id LIMIT 1) AS c ON true
  LEFT JOIN LATERAL (SELECT * FROM events WHERE workspace_id = $1 AND id = l.trigger_event_id LIMIT 1) AS e ON true
  ORDER BY l.priority, l.next_attempt_at, l.id`;

/** States in which the late result of a process that was believed dead still counts. */
const ACCEPTS_LATE_RESULT = EMAIL_LOG_STATUSES.filter(
  (status) => status !== 'sending' && mayBecome(status, 'sent'),
)
  .map((status) => `'${status}'`)
  .join(', ');

const FROM_OUTCOMES = `FROM unnest($4::uuid[], $5::int[], $6::bigint[], $7::text[], $8::int[], $9::timestamptz[], $10::text[],
  $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::int[], $17::int[])
  AS o(id, attempt, sender, status, reissue, next_attempt_at, error_code, error_detail, suppressed_reason, to_email,
    from_email, subject, template_version, tracked)`;

/** A message that may have left keeps its slot while it is retried. */
const RETAINS_SLOT = `(l.has_slot AND l.reissues + o.reissue > 0 AND o.status = 'queued' AND NOT l.called_off)`;

/** A message that was cancelled in the meantime is not retried. */
const STATUS_AFTER = `CASE WHEN l.called_off AND o.status = 'queued' THEN 'cancelled' ELSE o.status END`;

/**
 * A message whose attempts sent nothing gives its slot back. A message that may have left keeps its slot until its
 * outcome is stored, and has then used it, regardless of the last attempt. A message sent without a slot, while there
 * is no throttle, uses one too: when a throttle is switched on, its first hour counts what has already left.
 */
const STORE_OUTCOME = `
  UPDATE email_logs l SET status = ${STATUS_AFTER}, sender = NULL, reissues = l.reissues + o.reissue,
    has_slot = ${RETAINS_SLOT},
    slot_at = CASE WHEN l.has_slot AND l.reissues + o.reissue > 0 AND NOT ${RETAINS_SLOT} THEN $3::timestamptz
      WHEN o.status IN ('sent', 'unknown') AND (l.has_slot OR l.slot_at IS NULL) THEN $3::timestamptz ELSE l.slot_at END,
    next_attempt_at = coalesce(o.next_attempt_at, l.next_attempt_at), error_code = o.error_code,
    error_detail = o.error_detail, suppressed_reason = o.suppressed_reason,
    transport = CASE WHEN o.status <> 'suppressed' THEN l.transport END,
    to_email = coalesce(o.to_email, l.to_email), from_email = coalesce(o.from_email, l.from_email),
    subject = coalesce(o.subject, l.subject), template_version = coalesce(o.template_version, l.template_version),
    tracked = coalesce(o.tracked, l.tracked),
    updated_at = $3::timestamptz, sent_at = CASE o.status WHEN 'sent' THEN $3::timestamptz END`;

const STORE = `${STORE_OUTCOME}
  ${FROM_OUTCOMES}
  WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = o.id AND l.attempts = o.attempt
    AND l.status = 'sending' AND l.sender = o.sender
  RETURNING ${messageState(statusSql('sending'))}`;

/**
 * Stores results for messages that another process has taken over. Locks them first, so their previous status is known.
 */
const STORE_LATE = `
  WITH late AS (
    SELECT id, status AS before FROM email_logs
    WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($4::uuid[]) AND status IN (${ACCEPTS_LATE_RESULT})
    FOR NO KEY UPDATE)
  ${STORE_OUTCOME}
  ${FROM_OUTCOMES} JOIN late USING (id)
  WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = o.id AND l.attempts = o.attempt
    AND o.status IN ('sent', 'failed')
  RETURNING ${messageState('late.before')}`;

const ABANDONED = `
  SELECT id, content_type AS "contentType", reissues, sender = $3 AS "isOwn" FROM email_logs
  WHERE workspace_id = $1 AND environment = $2 AND status = 'sending' AND NOT id = ANY ($4::uuid[])
    AND (sender = $3 OR updated_at <= $5 AND sender IN (
      SELECT s.sender FROM (SELECT DISTINCT sender FROM email_logs
        WHERE workspace_id = $1 AND environment = $2 AND status = 'sending') AS s
      WHERE ${ProcessLease.isExpiredSql('s.sender')}))
  FOR UPDATE SKIP LOCKED`;

const TAKE_OVER = `
  UPDATE email_logs l SET status = ${STATUS_AFTER}, reissues = l.reissues + o.reissue, sender = NULL, next_attempt_at = $3,
    has_slot = l.has_slot AND o.status = 'queued' AND NOT l.called_off,
    slot_at = CASE WHEN l.has_slot AND (o.status = 'unknown' OR l.called_off AND l.reissues + o.reissue > 0)
        OR o.status = 'unknown' AND l.slot_at IS NULL THEN $3 ELSE l.slot_at END,
    error_code = CASE o.status WHEN 'unknown' THEN '${UNKNOWN_FATE}' END, updated_at = $3
  FROM unnest($4::uuid[], $5::text[], $6::int[]) AS o(id, status, reissue)
  WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = o.id AND l.status = 'sending'
  RETURNING ${messageState(statusSql('sending'))}`;

/** Which process claims messages, when, and for which transport. */
interface ClaimContext {
  readonly sender: number;
  readonly now: Date;
  /**
   * Messages go by the transport `by`. One that may have left by another transport in `known` goes by that one again.
   */
  readonly routes: { readonly by: string; readonly known: readonly string[] };
}

@Injectable()
export class SendLedgerRepository {
  /** Claims at most the given number of due messages, with their contacts and trigger events. */
  async claim(
    tx: Transaction,
    scope: TenantScope,
    { all, promotional, overdue }: ClaimRequest,
    { sender, now, routes }: ClaimContext,
  ): Promise<DueSend[]> {
    if (all <= 0) return [];
    const overdueSince = new Date(now.getTime() - OVERDUE_MS);
    const counts = [all, sender, promotional, overdue, overdueSince];
    const values = [scope.workspaceId, scope.environment, now, ...counts, routes.by, routes.known];
    const rows = await tx.query<ClaimedRow>(CLAIM, values, 'sends-claim');
    return rows.map(({ contact, eventName, attributes, options, ...row }) => ({
      ...row,
      options: optionsOf(options),
      sender,
      contact: contact ? contactOf(contact) : null,
      triggerEvent: triggerEventOf(options, eventName, attributes),
    }));
  }

  /** Reverts the charge of claimed messages for which the month's cap has no capacity. */
  async uncharge(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<void> {
    await tx.execute(
      'UPDATE email_logs SET charged_at = NULL WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, ids],
      'sends-uncharge',
    );
  }

  /** The message that would be claimed first; undefined when none is due. */
  async firstDue(tx: Transaction, scope: TenantScope, now: Date): Promise<string | undefined> {
    const [row] = await tx.query<{ id: string }>(
      `WITH first AS (${due(0, '1')}), second AS (${due(1, '1')})
       SELECT id FROM first UNION ALL SELECT id FROM second LIMIT 1`,
      [scope.workspaceId, scope.environment, now],
    );
    return row?.id;
  }

  /**
   * Stores the outcomes of attempts. If another process has taken the message over, nothing changes, except that a late
   * acceptance or rejection still counts while no new attempt has started.
   */
  async store(
    tx: Transaction,
    scope: TenantScope,
    finished: readonly FinishedSend[],
    now: Date,
  ): Promise<MessageState[]> {
    if (finished.length === 0) return [];
    const stored = await tx.query<MessageState>(STORE, outcomeValues(scope, finished, now), 'sends-store');
    if (stored.length === finished.length) return stored;
    const known = new Set(stored.map(({ id }) => id));
    const others = finished.filter(({ send }) => !known.has(send.id));
    return [...stored, ...(await tx.query<MessageState>(STORE_LATE, outcomeValues(scope, others, now)))];
  }

  /**
   * Locks the messages that are `sending` although no process works on them: either their process has ended and they were
   * claimed before `settledBefore`, or they belong to this process and are not in `inFlight`.
   */
  async lockAbandoned(
    tx: Transaction,
    scope: TenantScope,
    sender: number,
    inFlight: readonly string[],
    settledBefore: Date,
  ): Promise<AbandonedSend[]> {
    const values = [scope.workspaceId, scope.environment, sender, inFlight, settledBefore];
    return tx.query<AbandonedSend>(ABANDONED, values);
  }

  /** Requeues abandoned messages, or sets them to `unknown`. */
  async takeOver(
    tx: Transaction,
    scope: TenantScope,
    decided: readonly {
      readonly id: string;
      readonly status: 'queued' | 'unknown';
      readonly isReissue: boolean;
    }[],
    now: Date,
  ): Promise<MessageState[]> {
    if (decided.length === 0) return [];
    return tx.query<MessageState>(TAKE_OVER, [
      scope.workspaceId,
      scope.environment,
      now,
      decided.map(({ id }) => id),
      decided.map(({ status }) => status),
      decided.map(({ isReissue }) => (isReissue ? 1 : 0)),
    ]);
  }
}

/** Copies field by field: this runs for every message, and the rest of the row must not be kept. */
function contactOf(raw: RawContact): Contact {
  return {
    id: raw.id,
    externalId: raw.external_id,
    email: raw.email,
    phone: raw.phone,
    firstName: raw.first_name,
    lastName: raw.last_name,
    productType: raw.product_type,
    subscriptionStatus: raw.subscription_status,
    timezone: raw.timezone,
    locale: raw.locale,
    properties: raw.properties,
    tags: raw.tags,
    createdAt: new Date(raw.created_at),
    updatedAt: new Date(raw.updated_at),
  };
}

/** The parameters of STORE and of STORE_LATE. */
function outcomeValues(scope: TenantScope, finished: readonly FinishedSend[], now: Date): unknown[] {
  const columns = finished.map(({ outcome }) => columnsOf(outcome));
  return [
    scope.workspaceId,
    scope.environment,
    now,
    finished.map(({ send }) => send.id),
    finished.map(({ send }) => send.attempts),
    finished.map(({ send }) => send.sender),
    columns.map(({ status }) => status),
    columns.map(({ reissue }) => reissue),
    columns.map(({ nextAttemptAt }) => nextAttemptAt),
    columns.map(({ errorCode }) => errorCode),
    columns.map(({ errorDetail }) => errorDetail),
    columns.map(({ suppressedReason }) => suppressedReason),
    finished.map(({ record }) => record.toEmail),
    finished.map(({ record }) => record.fromEmail),
    finished.map(({ record }) => storable(record.subject)),
    finished.map(({ record }) => record.templateVersion),
    finished.map(({ record }) => record.tracked && trackingBitsOf(record.tracked)),
  ];
}

interface OutcomeColumns {
  readonly status: EmailLogStatus;
  readonly reissue: number;
  readonly nextAttemptAt: Date | null;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly suppressedReason: string | null;
}

function columnsOf(outcome: SendOutcome): OutcomeColumns {
  const columns: OutcomeColumns = {
    status: statusAfter(outcome),
    reissue: 0,
    nextAttemptAt: null,
    errorCode: null,
    errorDetail: null,
    suppressedReason: null,
  };
  switch (outcome.kind) {
    case 'sent':
      return columns;
    case 'suppressed':
      return { ...columns, suppressedReason: storableDetail(outcome.reason) };
    case 'unknown':
      return { ...columns, errorCode: UNKNOWN_FATE, errorDetail: storableDetail(outcome.detail) };
    case 'failed':
      return { ...columns, errorCode: outcome.code, errorDetail: storableDetail(outcome.detail) };
    case 'again':
      return {
        ...columns,
        reissue: outcome.reissue ? 1 : 0,
        nextAttemptAt: outcome.at,
        errorCode: outcome.code,
        errorDetail: storableDetail(outcome.detail),
      };
  }
}

/** Removes characters that PostgreSQL cannot store from a rendered subject. */
function storable(text: string | null): string | null {
  return text?.replaceAll('\0', '') ?? null;
}
