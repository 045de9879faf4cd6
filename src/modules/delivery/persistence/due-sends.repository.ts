/**
 * Lists the tenants that have queued messages, across tenants, with the dispatcher's role. It steps from one tenant to
 * the next through the index, so it costs the same with a million queued messages as with one.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

const ORDER = 'workspace_id, environment, priority';

/**
 * Returns, for tenants that are not suspended, the earliest message of each priority, the queues of throttled sources,
 * and the reviews of held messages. Tenants with messages of dead processes are due immediately ($1).
 */
export const DUE_SENDS = `
  WITH RECURSIVE heads AS (
    (SELECT ${ORDER}, next_attempt_at FROM email_logs WHERE status = 'queued' ORDER BY ${ORDER}, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.* FROM heads h CROSS JOIN LATERAL (
      SELECT ${ORDER}, next_attempt_at FROM email_logs
      WHERE status = 'queued' AND (${ORDER}) > (h.workspace_id, h.environment, h.priority)
      ORDER BY ${ORDER}, next_attempt_at LIMIT 1) AS n),
  senders AS MATERIALIZED (
    SELECT DISTINCT workspace_id, environment, sender FROM email_logs WHERE status = 'sending')
  SELECT workspace_id, environment, min(due_at) AS due_at FROM (
    SELECT workspace_id, environment, next_attempt_at AS due_at FROM heads h WHERE NOT EXISTS (
      SELECT 1 FROM workspaces w WHERE w.id = h.workspace_id AND (w.status = 'suspended' OR w.deletion_at IS NOT NULL))
    UNION ALL
    SELECT workspace_id, environment, look_at FROM send_lines WHERE look_at IS NOT NULL
    UNION ALL
    SELECT workspace_id, environment, look_at FROM send_reviews WHERE look_at IS NOT NULL
    UNION ALL
    SELECT workspace_id, environment, $1::timestamptz FROM senders s WHERE ${ProcessLease.isExpiredSql('s.sender')}) AS d
  GROUP BY workspace_id, environment`;

@Injectable()
export class DueSendsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the time of its earliest message, past or future. */
  async list(now: Date): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(DUE_SENDS, [now]);
  }
}
