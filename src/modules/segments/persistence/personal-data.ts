/** What an erasure does to segments: the contact leaves them, and its past memberships go too. */
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';

export const SEGMENT_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['segment_touches'],
    sql: 'DELETE FROM segment_touches WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
  },
  {
    tables: ['segment_members'],
    kind: 'segments',
    sql: 'DELETE FROM segment_members WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
  },
];
