/** What a statement that changes messages gives of them for those who listen. */
import type { EmailLogStatus } from '../domain/email-log-transitions.js';

/**
 * The columns of a MessageState, of rows `l` of the ledger that have just been changed.
 * @param before SQL of the status that they had: their own row does not tell it any more.
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

/** The id of the flow's step that asked for a row `l` of the ledger, or for the one that it repeats; null where none did. */
export const STEP_OF_MESSAGE = `CASE l.origin WHEN 'trip' THEN l.origin_step WHEN 'resend' THEN (
  SELECT o.origin_step FROM email_logs o WHERE o.workspace_id = l.workspace_id AND o.id = l.origin_id AND o.origin = 'trip') END`;
