/** On which days and in which weeks contacts were active, opened and clicked; cohorts read this. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, momentArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepareTenantScan } from '../../../platform/database/tenant-scan.js';

/** A contact's activity at a moment. Opens and clicks may be revoked. */
export interface ActivityChange {
  readonly contactId: string;
  readonly at: Date;
  readonly events: number;
  readonly opened: number;
  readonly clicked: number;
}

/** For events, it is enough to know that a period has any, so most of them change nothing. */
const ADD = `
  INSERT INTO contact_activity AS a (workspace_id, environment, level, start, contact_id, created_on, events, opened, clicked)
  SELECT $1, $2, n.level, n.start, n.contact_id, (c.created_at AT TIME ZONE 'UTC')::date, n.events, n.opened, n.clicked
  FROM (
    SELECT l.level, date_trunc(l.unit, u.at AT TIME ZONE 'UTC')::date AS start, u.contact_id, max(u.events) AS events,
      sum(u.opened)::int AS opened, sum(u.clicked)::int AS clicked
    FROM unnest($3::uuid[], $4::timestamptz[], $5::int[], $6::int[], $7::int[]) AS u(contact_id, at, events, opened, clicked)
    CROSS JOIN (VALUES (0::smallint, 'day'), (1::smallint, 'week')) AS l(level, unit) GROUP BY 1, 2, 3) AS n
  JOIN contacts c ON c.workspace_id = $1 AND c.id = n.contact_id
  WHERE n.opened <> 0 OR n.clicked <> 0 OR NOT EXISTS (
    SELECT FROM contact_activity k WHERE k.workspace_id = $1 AND k.environment = $2 AND k.level = n.level
      AND k.start = n.start AND k.contact_id = n.contact_id AND k.events > 0)
  ORDER BY n.level, n.start, n.contact_id
  ON CONFLICT (workspace_id, environment, level, start, contact_id) DO UPDATE SET events = greatest(a.events, excluded.events),
    opened = a.opened + excluded.opened, clicked = a.clicked + excluded.clicked`;

/**
 * The differences between the table and the events, opens and clicks. Event activity stays, even if retention deleted
 * the events.
 */
const CORRECT = `
  WITH done AS (
    SELECT c.id AS contact_id, e.occurred_at AS at, 1 AS events, 0 AS opened, 0 AS clicked FROM events e
    JOIN contacts c ON c.workspace_id = $1 AND c.environment = $2 AND c.external_id = e.external_id
    WHERE e.workspace_id = $1 AND e.environment = $2 AND e.processed_at IS NOT NULL
    UNION ALL SELECT contact_id, coalesce(opened_at, clicked_at), 0, 1, 0 FROM email_logs
    WHERE workspace_id = $1 AND environment = $2 AND (opened_at IS NOT NULL OR clicked_at IS NOT NULL)
    UNION ALL SELECT contact_id, clicked_at, 0, 0, 1 FROM email_logs
    WHERE workspace_id = $1 AND environment = $2 AND clicked_at IS NOT NULL),
  counted AS (
    SELECT l.level, date_trunc(l.unit, d.at AT TIME ZONE 'UTC')::date AS start, d.contact_id, max(d.events) AS events,
      sum(d.opened)::int AS opened, sum(d.clicked)::int AS clicked
    FROM done d CROSS JOIN (VALUES (0::smallint, 'day'), (1::smallint, 'week')) AS l(level, unit) GROUP BY 1, 2, 3),
  differing AS (
    SELECT coalesce(n.level, a.level) AS level, coalesce(n.start, a.start) AS start, coalesce(n.contact_id, a.contact_id) AS contact_id,
      greatest(coalesce(n.events, 0), coalesce(a.events, 0)) AS events, coalesce(n.opened, 0) - coalesce(a.opened, 0) AS opened,
      coalesce(n.clicked, 0) - coalesce(a.clicked, 0) AS clicked, coalesce(n.events, 0) > coalesce(a.events, 0) AS is_new
    FROM counted n FULL JOIN (SELECT * FROM contact_activity WHERE workspace_id = $1 AND environment = $2) AS a
      ON a.level = n.level AND a.start = n.start AND a.contact_id = n.contact_id)
  INSERT INTO contact_activity AS a (workspace_id, environment, level, start, contact_id, created_on, events, opened, clicked)
  SELECT $1, $2, d.level, d.start, d.contact_id, (c.created_at AT TIME ZONE 'UTC')::date, d.events, d.opened, d.clicked
  FROM differing d JOIN contacts c ON c.workspace_id = $1 AND c.id = d.contact_id
  WHERE d.is_new OR d.opened <> 0 OR d.clicked <> 0 ORDER BY d.level, d.start, d.contact_id
  ON CONFLICT (workspace_id, environment, level, start, contact_id) DO UPDATE SET events = greatest(a.events, excluded.events),
    opened = a.opened + excluded.opened, clicked = a.clicked + excluded.clicked`;

@Injectable()
export class ActivityRepository {
  /** Adds activity. Runs last in a transaction, since others add to the same contacts' rows. */
  async add(tx: Transaction, scope: TenantScope, changes: readonly ActivityChange[]): Promise<void> {
    if (changes.length === 0) return;
    await tx.execute(
      ADD,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(changes.map(({ contactId }) => contactId)),
        momentArray(changes.map(({ at }) => at)),
        integerArray(changes.map(({ events }) => events)),
        integerArray(changes.map(({ opened }) => opened)),
        integerArray(changes.map(({ clicked }) => clicked)),
      ],
      'activity-add',
    );
  }

  /** Corrects rows that differ from their source rows. @returns the number of contacts and periods corrected. */
  async correct(tx: Transaction, scope: TenantScope): Promise<number> {
    await prepareTenantScan(tx);
    return tx.execute(CORRECT, [scope.workspaceId, scope.environment]);
  }
}
