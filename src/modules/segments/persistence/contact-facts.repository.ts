/** What contacts have done, as far as filters ask about it. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { DoneEvent } from '../domain/decide.js';

/** A contact's events by name; null for one who has done more than fits. */
export type EventsByName = ReadonlyMap<string, readonly DoneEvent[]> | null;

@Injectable()
export class ContactFactsRepository {
  /**
   * The kept events of these names, by external_id.
   * @param most events of one contact.
   */
  async events(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    names: readonly string[],
    most: number,
  ): Promise<Map<string, EventsByName>> {
    const found = new Map<string, Map<string, DoneEvent[]>>();
    if (names.length === 0) return found;
    const rows = await tx.query<{
      external_id: string;
      event_name: string;
      attributes: JsonObject;
      occurred_at: Date;
    }>(
      `SELECT e.* FROM unnest($3::text[]) AS c(external_id) CROSS JOIN LATERAL (
         SELECT external_id, event_name, attributes, occurred_at FROM events
         WHERE workspace_id = $1 AND environment = $2 AND external_id = c.external_id AND event_name = ANY ($4::text[])
         LIMIT $5) AS e`,
      [scope.workspaceId, scope.environment, externalIds, names, most + 1],
      'segment-contact-events',
    );
    const counts = new Map<string, number>();
    for (const { external_id: id, event_name: name, attributes, occurred_at: occurredAt } of rows) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      const byName = found.get(id) ?? new Map<string, DoneEvent[]>();
      found.set(id, byName);
      const events = byName.get(name) ?? [];
      events.push({ attributes, occurredAt });
      byName.set(name, events);
    }
    return new Map([...found].map(([id, byName]) => [id, (counts.get(id) ?? 0) > most ? null : byName]));
  }
}
