/**
 * What an erasure does to migrations: the errors of the person's records, and a dry run's results for them, no longer
 * name the person. Files are removed when they expire.
 */
import type { ErasedPerson, PersonalDataErasure } from '../../../platform/database/personal-data.js';

const OF_PERSON =
  'workspace_id = $1 AND environment = $2 AND (external_id = $3 OR lower(external_id) = lower($4))';
const values = ({ workspaceId, environment, externalId, email, pseudonym }: ErasedPerson): unknown[] => [
  workspaceId,
  environment,
  externalId,
  email,
  pseudonym,
];

export const IMPORT_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['import_errors'],
    kind: 'migration_errors',
    sql: `UPDATE import_errors SET external_id = $5, detail = 'The person was erased.' WHERE ${OF_PERSON}`,
    values,
  },
  {
    tables: ['import_rows'],
    kind: 'migration_errors',
    sql: `UPDATE import_rows SET external_id = $5 WHERE ${OF_PERSON}`,
    values,
  },
];
