/** Reads the events of contacts that filters use. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { byteSizeSql } from '../../../platform/database/byte-size.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { DoneEvent } from '../domain/matches-filter.js';

/** A contact's events by name; null for a contact with more events than the limit. */
export type EventsByName = ReadonlyMap<string, readonly DoneEvent[]> | null;

/** For a contact with more or larger events, none are returned, so no batch exceeds memory. */
export const MAX_CONTACT_EVENTS = { rows: 200, bytes: 65_536 };

@Injectable()
export class ContactEventsRepository {
  /**
   * The stored events with these names, by external_id.
   * @param limits limit of the events of one contact, and of the bytes of their attributes.
   */
  async events(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    names: readonly string[],
    limits: { readonly rows: number; readonly bytes: number },
  ): Promise<Map<string, EventsByName>> {
    const found = new Map<string, Map<string, DoneEvent[]>>();
    if (names.length === 0) return found;
    const rows = await tx.query<{
      external_id: string;
      event_name: string;
      attributes: JsonObject | null;
      occurred_at: Date;
    }>(
      `SELECT e.* FROM unnest($3::text[]) AS c(external_id) CROSS JOIN LATERAL (
         SELECT external_id, event_name, occurred_at,
           CASE WHEN sum(bytes) OVER () <= $6 THEN attributes END AS attributes
         FROM (SELECT external_id, event_name, occurred_at, attributes, ${byteSizeSql('attributes')} AS bytes FROM events
           WHERE workspace_id = $1 AND environment = $2 AND external_id = c.external_id AND event_name = ANY ($4::text[])
           LIMIT $5) AS kept) AS e`,
      [scope.workspaceId, scope.environment, externalIds, names, limits.rows + 1, limits.bytes],
      'segment-contact-events',
    );
    const counts = new Map<string, number>();
    const large = new Set<string>();
    for (const { external_id: id, event_name: name, attributes, occurred_at: occurredAt } of rows) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (attributes === null) large.add(id);
      const byName = found.get(id) ?? new Map<string, DoneEvent[]>();
      found.set(id, byName);
      const events = byName.get(name) ?? [];
      if (attributes !== null) events.push({ attributes, occurredAt });
      byName.set(name, events);
    }
    const isTooMuch = (id: string): boolean => large.has(id) || (counts.get(id) ?? 0) > limits.rows;
    return new Map([...found].map(([id, byName]) => [id, isTooMuch(id) ? null : byName]));
  }
}
