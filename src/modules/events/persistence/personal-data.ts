/** What an erasure does to events: their number stays, and their content and identifiers go. */
import { scopeKey } from '../../../kernel/tenant-scope.js';
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';
import { LOCK_PROCESSING } from './processing-lock.js';

export const EVENT_ERASURES: readonly PersonalDataErasure[] = [
  // A worker that is processing the person's events has them in memory and would create the contact again.
  { tables: ['events'], sql: LOCK_PROCESSING, values: (person) => [scopeKey(person)] },
  // Idempotency keys are texts from the application and may name the person.
  {
    tables: ['events', 'idempotency_keys'],
    kind: 'events',
    sql: `WITH erased AS (
        UPDATE events SET external_id = $4, attributes = '{}', contact = NULL
        WHERE workspace_id = $1 AND environment = $2 AND external_id = $3 RETURNING id),
      keys AS (
        DELETE FROM idempotency_keys
        WHERE workspace_id = $1 AND environment = $2 AND event_id IN (SELECT id FROM erased))
      SELECT FROM erased`,
    values: ({ workspaceId, environment, externalId, pseudonym }) => [
      workspaceId,
      environment,
      externalId,
      pseudonym,
    ],
  },
  {
    tables: ['latest_events'],
    sql: 'DELETE FROM latest_events WHERE workspace_id = $1 AND environment = $2 AND external_id = $3',
    values: ({ workspaceId, environment, externalId }) => [workspaceId, environment, externalId],
  },
];
