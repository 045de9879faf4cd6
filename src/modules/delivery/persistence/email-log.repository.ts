/** Reads the ledger of messages, for the code that requested them and for the dashboard. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SendEvent } from '../domain/claimed-send.js';
import type { EmailLog, NewEmailLog } from '../domain/email-log.js';
import type { EmailLogStatus } from '../domain/email-log-transitions.js';
import { ENGAGEMENT_COLUMNS, marksOf, type StoredMarks } from './engagement.repository.js';
import { optionsOf, triggerEventOf, type StoredOptions } from './stored-options.js';

/** A message as it was requested. */
export type SourceMessage = NewEmailLog & { readonly triggerEvent: SendEvent | null };

/** A server's answer to a message that it rejected permanently. */
export interface MessageRejection {
  readonly emailLogId: string;
  readonly contactId: string;
  readonly email: string;
  /** Such as `550 5.1.1 no such user`. */
  readonly answer: string;
}

export interface EmailLogFilter {
  readonly status?: EmailLogStatus | undefined;
  /** Flows and campaigns. A message must belong to every one of them. */
  readonly sourceIds: readonly string[];
  /** If present, a message must be to one of these contacts. */
  readonly contactIds?: readonly string[] | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** The window of matching messages to return. */
export interface EmailLogWindow {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly offset?: number;
}

/** A message in a throttle queue can go when its next slot is expected, but not before the queue is checked. */
const NEXT_ATTEMPT = `CASE WHEN status = 'queued' AND waits_for = 'throttle' THEN coalesce((
  SELECT coalesce(s.opens_at, s.look_at) FROM send_lines s WHERE s.workspace_id = email_logs.workspace_id
    AND s.source_id = email_logs.source_id AND s.environment = email_logs.environment), updated_at)
  ELSE next_attempt_at END`;

const COLUMNS = `id, source_id AS "sourceId", origin, origin_id AS "originId", origin_step AS "originStep", contact_id AS "contactId",
  trigger_event_id AS "triggerEventId", template_slug AS "templateSlug", template_version AS "templateVersion",
  content_type AS "contentType", options - 'attributes' AS options, status, to_email AS "toEmail", from_email AS "fromEmail", subject,
  message_id AS "messageId", transport, attempts, reissues, tracked, ${NEXT_ATTEMPT} AS "nextAttemptAt",
  CASE status WHEN 'queued' THEN waits_for END AS "waitsFor", held_until AS "heldUntil", slot_at AS "slotAt", error_code AS "errorCode",
  error_detail AS "errorDetail", suppressed_reason AS "suppressedReason", created_at AS "createdAt",
  updated_at AS "updatedAt", sent_at AS "sentAt",
  ${ENGAGEMENT_COLUMNS}`;

type Row = Omit<EmailLog, 'options' | 'clickMarks'> & {
  readonly options: StoredOptions;
  readonly clickMarks: StoredMarks;
};

@Injectable()
export class EmailLogRepository {
  async find(tx: Transaction, scope: TenantScope, id: string): Promise<EmailLog | undefined> {
    const [log] = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM email_logs WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return log && recordOf(log);
  }

  /** A message as it was requested, with the trigger event that its template read. */
  async source(tx: Transaction, scope: TenantScope, id: string): Promise<SourceMessage | undefined> {
    const [row] = await tx.query<
      Omit<SourceMessage, 'options' | 'triggerEvent'> & {
        readonly options: StoredOptions;
        readonly eventName: string | null;
        readonly attributes: Record<string, unknown> | null;
      }
    >(
      `SELECT l.id, l.source_id AS "sourceId", l.origin, l.origin_id AS "originId", l.origin_step AS "originStep",
         l.contact_id AS "contactId", l.trigger_event_id AS "triggerEventId", l.template_slug AS "templateSlug",
         l.content_type AS "contentType", l.options, e.event_name AS "eventName", e.attributes
       FROM email_logs l
       LEFT JOIN LATERAL (SELECT * FROM events WHERE workspace_id = $1 AND id = l.trigger_event_id LIMIT 1) AS e ON true
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    if (!row) return undefined;
    const { options, eventName, attributes, ...message } = row;
    return {
      ...message,
      options: optionsOf(options),
      triggerEvent: triggerEventOf(options, eventName, attributes),
    };
  }

  /** The messages of trips, in the order in which they were requested. */
  async ofTrips(tx: Transaction, scope: TenantScope, tripIds: readonly string[]): Promise<EmailLog[]> {
    const rows = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND origin_id = ANY ($3::uuid[]) AND origin = 'trip'
       ORDER BY origin_id, created_at, id`,
      [scope.workspaceId, scope.environment, tripIds],
    );
    return rows.map(recordOf);
  }

  /** Messages by id, in the order of their ids. With `lock`, they stay locked until the transaction ends. */
  async findMany(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    lock: boolean,
  ): Promise<EmailLog[]> {
    const rows = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) ORDER BY id ${lock ? 'FOR NO KEY UPDATE' : ''}`,
      [scope.workspaceId, scope.environment, ids],
    );
    return rows.map(recordOf);
  }

  /** The messages that repeat these messages. */
  async repetitionsOf(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<EmailLog[]> {
    const rows = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND origin_id = ANY ($3::uuid[]) AND origin = 'resend'`,
      [scope.workspaceId, scope.environment, ids],
    );
    return rows.map(recordOf);
  }

  /**
   * The messages of trips and their repetitions, in the order in which they were requested. Returns at most `limit`,
   * the latest ones.
   */
  async historyOfTrips(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
    limit: number,
  ): Promise<EmailLog[]> {
    const rows = await tx.query<Row>(
      `WITH own AS MATERIALIZED (
         SELECT id FROM email_logs
         WHERE workspace_id = $1 AND environment = $2 AND origin_id = ANY ($3::uuid[]) AND origin = 'trip')
       SELECT ${COLUMNS} FROM email_logs
       WHERE workspace_id = $1 AND environment = $2
         AND (id IN (SELECT id FROM own) OR (origin_id IN (SELECT id FROM own) AND origin = 'resend'))
       ORDER BY id DESC LIMIT $4`,
      [scope.workspaceId, scope.environment, tripIds, limit],
    );
    return rows.map(recordOf).toReversed();
  }

  /** By message id, how many of the contact's messages counted toward a cap when this message was decided. */
  async countedBefore(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    periodHours: number,
  ): Promise<Map<string, number>> {
    const rows = await tx.query<{ id: string; sent: number }>(
      `SELECT m.id, counted.sent FROM email_logs m CROSS JOIN LATERAL (
         SELECT count(*)::int AS sent FROM email_logs l
         WHERE l.workspace_id = $1 AND l.environment = $2 AND l.contact_id = m.contact_id AND l.counts
           AND l.updated_at > m.updated_at - $4 * interval '1 hour' AND l.updated_at <= m.updated_at
           AND l.status IN ('sent', 'unknown')) AS counted
       WHERE m.workspace_id = $1 AND m.environment = $2 AND m.id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, periodHours],
    );
    return new Map(rows.map(({ id, sent }) => [id, sent]));
  }

  /** The messages that a server rejected. Reads nothing else about any of them. */
  async rejections(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<MessageRejection[]> {
    return tx.query<MessageRejection>(
      `SELECT id AS "emailLogId", contact_id AS "contactId", to_email AS email, error_detail AS answer FROM email_logs
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND error_code = 'rejected'
         AND to_email IS NOT NULL AND error_detail IS NOT NULL`,
      [scope.workspaceId, scope.environment, ids],
    );
  }

  /** At most `limit` messages, newest first. With `before` (an id), only older messages. */
  async list(
    tx: Transaction,
    scope: TenantScope,
    filter: EmailLogFilter,
    { limit, before, offset = 0 }: EmailLogWindow,
  ): Promise<EmailLog[]> {
    const values: unknown[] = [limit, offset];
    const conditions = conditionsOf(scope, filter, values);
    if (before !== undefined) conditions.push(`id < $${values.push(before)}`);
    const rows = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM email_logs WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $1 OFFSET $2`,
      values,
    );
    return rows.map(recordOf);
  }

  /** The number of messages, counted up to `maxCounted`. */
  async count(
    tx: Transaction,
    scope: TenantScope,
    filter: EmailLogFilter,
    maxCounted: number,
  ): Promise<number> {
    const values: unknown[] = [maxCounted];
    const conditions = conditionsOf(scope, filter, values);
    const [row] = await tx.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT FROM email_logs WHERE ${conditions.join(' AND ')} LIMIT $1) l`,
      values,
    );
    return row?.total ?? 0;
  }
}

function conditionsOf(scope: TenantScope, filter: EmailLogFilter, values: unknown[]): string[] {
  const { status, sourceIds, contactIds, createdAfter, createdBefore } = filter;
  const conditions: string[] = [];
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add(scope.workspaceId, (id) => `workspace_id = ${id}`);
  add(scope.environment, (environment) => `environment = ${environment}`);
  add(status, (one) => `status = ${one}`);
  for (const sourceId of sourceIds) add(sourceId, (id) => `source_id = ${id}`);
  add(contactIds, (ids) => `contact_id = ANY (${ids}::uuid[])`);
  add(createdAfter, (moment) => `created_at >= ${moment}`);
  add(createdBefore, (moment) => `created_at < ${moment}`);
  return conditions;
}

function recordOf(row: Row): EmailLog {
  return { ...row, options: optionsOf(row.options), clickMarks: marksOf(row.clickMarks) };
}
