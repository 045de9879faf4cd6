/** The latest events of contacts, as templates read them. */
import { Injectable } from '@nestjs/common';
import type { SnakeKeys } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SendEvent } from '../domain/claimed-send.js';
import type { LatestEventNames } from '../domain/latest-events.js';

/** How many of a contact's event names are searched for a name that matches only without underscores. */
const MAX_EVENT_NAMES = 1_000;

@Injectable()
export class LatestEventsRepository {
  /**
   * The contacts' latest events that templates read, by external_id and then by name. If several names differ only in
   * underscores, the first is used; the search covers a contact's first MAX_EVENT_NAMES names.
   */
  async of(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    { names, folded }: LatestEventNames,
  ): Promise<Map<string, Record<string, SendEvent>>> {
    const rows = await tx.query<SnakeKeys<SendEvent> & { external_id: string }>(
      `SELECT l.external_id, l.event_name, l.attributes
       FROM unnest($3::text[]) AS wanted (external_id)
       CROSS JOIN LATERAL (
         SELECT unnest($4::text[]) AS event_name
         UNION
         SELECT min(known.event_name) FROM (
           SELECT e.event_name FROM latest_events e
           WHERE e.workspace_id = $1 AND e.environment = $2 AND e.external_id = wanted.external_id
           ORDER BY e.event_name LIMIT ${MAX_EVENT_NAMES}) AS known
         WHERE replace(known.event_name, '_', '') = ANY ($5::text[])
         GROUP BY replace(known.event_name, '_', '')) AS chosen
       JOIN latest_events l ON l.workspace_id = $1 AND l.environment = $2
         AND l.external_id = wanted.external_id AND l.event_name = chosen.event_name
       ORDER BY l.event_name`,
      [scope.workspaceId, scope.environment, externalIds, names, folded],
    );
    const events = new Map<string, Record<string, SendEvent>>();
    for (const { external_id: externalId, event_name: eventName, attributes } of rows) {
      const known = events.get(externalId) ?? {};
      known[eventName] = { eventName, attributes };
      events.set(externalId, known);
    }
    return events;
  }
}
