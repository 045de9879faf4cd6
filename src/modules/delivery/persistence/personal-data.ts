/**
 * What an erasure does to messages: their number and outcomes stay. Queued messages stay queued, because a deleted
 * contact gets no mail.
 */
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';

export const EMAIL_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['send_keys'],
    sql: `DELETE FROM send_keys k USING email_logs l
      WHERE l.workspace_id = $1 AND l.environment = $2 AND l.contact_id = $3
        AND k.workspace_id = $1 AND k.environment = $2 AND k.email_log_id = l.id`,
  },
  {
    tables: ['email_logs'],
    kind: 'emails',
    sql: `UPDATE email_logs SET to_email = NULL, subject = NULL, error_detail = NULL, bounce_detail = NULL,
        options = '{}'
      WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3`,
  },
  // The outcome of the attempt, which includes the address, would be stored after the erasure.
  {
    tables: ['email_logs'],
    sql: `SELECT FROM email_logs
      WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND status = 'sending' LIMIT 1`,
    conflict: 'A message to the contact is being sent: try again in a moment.',
  },
];
