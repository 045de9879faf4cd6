/** What statements that change messages return for the listeners. */
import type { EmailLogStatus } from '../domain/email-log-transitions.js';

/**
 * The SQL columns of a MessageState, for rows `l` of the ledger that a statement has just changed.
 * @param before SQL of the previous status, which the row itself no longer has.
 */
export function messageState(before: string): string {
  return `l.id, l.source_id AS "sourceId", l.origin, l.origin_id AS "originId", l.origin_step AS "originStep",
    l.contact_id AS "contactId", l.content_type AS "contentType", l.status, ${before} AS before, l.updated_at AS at,
    l.charged_at AS "chargedAt", l.tracked`;
}

/** A status as SQL. */
export function statusSql(status: EmailLogStatus): string {
  return `'${status}'::text`;
}

/**
 * The id of the flow step that requested a row `l` of the ledger, or that requested the message which `l` repeats; null
 * if no step did.
 */
export const STEP_OF_MESSAGE = `CASE l.origin WHEN 'trip' THEN l.origin_step WHEN 'resend' THEN (
  SELECT o.origin_step FROM email_logs o WHERE o.workspace_id = l.workspace_id AND o.id = l.origin_id AND o.origin = 'trip') END`;
