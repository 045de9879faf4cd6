/** What an erasure does to pending feedback: its personal data goes, and its effect on the message stays. */
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';

export const FEEDBACK_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['feedback'],
    kind: 'feedback',
    sql: `UPDATE feedback f SET facts = facts || '{"user_agent": null, "recipient": null}'
        || CASE WHEN facts -> 'bounce' IS DISTINCT FROM 'null' AND facts ? 'bounce'
             THEN jsonb_build_object('bounce', (facts -> 'bounce') || '{"detail": null}') ELSE '{}' END
      FROM email_logs l
      WHERE f.workspace_id = $1 AND f.environment = $2 AND f.processed_at IS NULL
        AND l.workspace_id = $1 AND l.contact_id = $3 AND l.environment = $2 AND l.id = f.email_log_id`,
  },
];
