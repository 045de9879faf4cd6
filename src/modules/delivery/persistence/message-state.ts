/** What a statement that changes messages gives of them for those who listen. */
import type { EmailLogStatus } from '../domain/email-log-transitions.js';

/**
 * The columns of a MessageState, of rows `l` of the ledger that have just been changed.
 * @param before SQL of the status that they had: their own row does not tell it any more.
 */
export function messageState(before: string): string {
  return `l.id, l.source_id AS "sourceId", l.origin, l.origin_id AS "originId", l.origin_step AS "originStep",
    l.contact_id AS "contactId", l.content_type AS "contentType", l.status, ${before} AS before, l.updated_at AS at`;
}

/** A status as SQL. */
export function statusSql(status: EmailLogStatus): string {
  return `'${status}'::text`;
}
