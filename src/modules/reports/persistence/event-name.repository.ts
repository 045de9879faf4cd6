/** The event names that occur in a tenant. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';

/**
 * Skips from one name to the next in the index latest_events_names, so that the cost depends on the number of names
 * only.
 */
const NAMES = `
  WITH RECURSIVE seen (name, number) AS (
    (SELECT l.event_name, 1 FROM {latest_events} l WHERE l.event_name > $2 ORDER BY l.event_name LIMIT 1)
    UNION ALL
    SELECT next.event_name, s.number + 1 FROM seen s CROSS JOIN LATERAL (
      SELECT l.event_name FROM {latest_events} l WHERE l.event_name > s.name ORDER BY l.event_name LIMIT 1) AS next
    WHERE s.number < $1)
  SELECT s.name FROM seen s ORDER BY s.number`;

@Injectable()
export class EventNameRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** Returns at most `limit` names after the given one, sorted; no name is empty. */
  async list(scope: TenantScope, limit: number, after: string): Promise<string[]> {
    const rows = await this.reader.query<{ name: string }>(scope, NAMES, [limit, after]);
    return rows.map(({ name }) => name);
  }
}
