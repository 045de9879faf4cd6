/**
 * The state of a tenant's sending. Each statement reads a bounded range of an index: the queue by kind and time, the
 * slot uses by source.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  MAX_SHOWN_DOMAINS,
  MAX_COUNTED_MESSAGES,
  RATE_MINUTES,
  type DeferringDomain,
  type SendingQueue,
  type SentMinute,
} from '../domain/sending-status.js';

const MINUTE = 60_000;

const QUEUES = `
  SELECT k.content_type AS "contentType", q.due, q.later, q.held, s.sending, q.oldest AS "oldestDueAt",
    q.seen <= ${MAX_COUNTED_MESSAGES} AS "isComplete"
  FROM (VALUES (0, 'transactional'), (1, 'promotional')) AS k(priority, content_type)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS seen,
      count(*) FILTER (WHERE waits_for IS NOT NULL)::int AS held,
      count(*) FILTER (WHERE waits_for IS NULL AND next_attempt_at <= $3)::int AS due,
      count(*) FILTER (WHERE waits_for IS NULL AND next_attempt_at > $3)::int AS later,
      min(next_attempt_at) FILTER (WHERE waits_for IS NULL AND next_attempt_at <= $3) AS oldest
    FROM (
      SELECT waits_for, next_attempt_at FROM email_logs
      WHERE workspace_id = $1 AND environment = $2 AND status = 'queued' AND priority = k.priority
      ORDER BY next_attempt_at LIMIT ${MAX_COUNTED_MESSAGES + 1}) AS looked_at) AS q
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS sending FROM email_logs
    WHERE workspace_id = $1 AND environment = $2 AND status = 'sending' AND priority = k.priority) AS s
  ORDER BY k.priority`;

/**
 * Steps from source to source through the index of slot uses: every sent message uses a slot. The last step covers
 * messages without a source.
 */
const SENT = `
  WITH RECURSIVE sources AS (
    (SELECT source_id FROM email_logs WHERE workspace_id = $1 AND slot_at IS NOT NULL ORDER BY source_id LIMIT 1)
    UNION ALL
    SELECT (SELECT l.source_id FROM email_logs l
      WHERE l.workspace_id = $1 AND l.slot_at IS NOT NULL AND l.source_id > s.source_id ORDER BY l.source_id LIMIT 1)
    FROM sources s WHERE s.source_id IS NOT NULL),
  used AS (
    SELECT l.slot_at FROM sources s CROSS JOIN LATERAL (
      SELECT slot_at FROM email_logs
      WHERE workspace_id = $1 AND source_id = s.source_id AND environment = $2 AND slot_at > $3 AND slot_at <= $4) AS l
    UNION ALL
    SELECT slot_at FROM email_logs
    WHERE workspace_id = $1 AND source_id IS NULL AND environment = $2 AND slot_at > $3 AND slot_at <= $4
    LIMIT ${MAX_COUNTED_MESSAGES})
  SELECT floor(extract(epoch FROM $4::timestamptz - slot_at) / 60)::int AS ago, count(*)::int AS messages
  FROM used GROUP BY 1`;

const DEFERRALS = `
  SELECT lower(substring(to_email FROM '[^@]*$')) AS domain, count(*)::int AS messages, min(next_attempt_at) AS "nextAttemptAt"
  FROM (VALUES (0), (1)) AS k(priority)
  CROSS JOIN LATERAL (
    SELECT to_email, error_code, waits_for, next_attempt_at FROM email_logs
    WHERE workspace_id = $1 AND environment = $2 AND status = 'queued' AND priority = k.priority AND next_attempt_at > $3
    ORDER BY next_attempt_at LIMIT ${MAX_COUNTED_MESSAGES}) AS looked_at
  WHERE error_code = 'temporary' AND waits_for IS NULL AND to_email IS NOT NULL
  GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_SHOWN_DOMAINS}`;

@Injectable()
export class SendingStatusRepository {
  async queues(tx: Transaction, scope: TenantScope, now: Date): Promise<SendingQueue[]> {
    return tx.query<SendingQueue>(QUEUES, [scope.workspaceId, scope.environment, now]);
  }

  /** How many messages left, or may have left, in each of the last minutes, newest first. */
  async sentByMinute(tx: Transaction, scope: TenantScope, now: Date): Promise<SentMinute[]> {
    const since = new Date(now.getTime() - RATE_MINUTES * MINUTE);
    const values = [scope.workspaceId, scope.environment, since, now];
    const rows = await tx.query<{ ago: number; messages: number }>(SENT, values);
    const messages = new Map(rows.map((row) => [row.ago, row.messages]));
    return Array.from({ length: RATE_MINUTES }, (_, ago) => ({
      since: new Date(now.getTime() - (ago + 1) * MINUTE),
      messages: messages.get(ago) ?? 0,
    }));
  }

  async deferringDomains(tx: Transaction, scope: TenantScope, now: Date): Promise<DeferringDomain[]> {
    return tx.query<DeferringDomain>(DEFERRALS, [scope.workspaceId, scope.environment, now]);
  }
}
