/**
 * Contacts' latest events of each name. They are updated as events are processed, so no template has to search for
 * them.
 */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  jsonbArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import { byteSizeSql } from '../../../platform/database/byte-size.js';
import type { IdentifiedEvent, LatestEvent, WeighedEvent } from '../domain/latest-event.js';
import type { StoredEvent } from './event.repository.js';

const COLUMNS = 'external_id, event_name, attributes, occurred_at';
const RECORD =
  'external_id AS "externalId", event_name AS "eventName", attributes, occurred_at AS "occurredAt"';

/**
 * Events are accepted almost in the order in which they occur: the latest one is among this number of events accepted
 * last.
 */
const MAX_REORDERED_EVENTS = 100;

@Injectable()
export class LatestEventRepository {
  /** Stores those events that are later than the stored ones. At equal times the higher id wins. */
  async record(tx: Transaction, scope: TenantScope, events: readonly StoredEvent[]): Promise<void> {
    const latest = latestOfEach(events);
    if (latest.length === 0) return;
    await tx.execute(
      `INSERT INTO latest_events AS l (workspace_id, environment, external_id, event_name, event_id, attributes, occurred_at)
       SELECT $1, $2, u.* FROM unnest($3::text[], $4::text[], $5::uuid[], $6::jsonb[], $7::timestamptz[]) AS u
       ON CONFLICT (workspace_id, external_id, event_name, environment) DO UPDATE
         SET event_id = excluded.event_id, attributes = excluded.attributes, occurred_at = excluded.occurred_at
         WHERE (excluded.occurred_at, excluded.event_id) > (l.occurred_at, l.event_id)`,
      [
        scope.workspaceId,
        scope.environment,
        textArray(latest.map((event) => event.externalId)),
        textArray(latest.map((event) => event.eventName)),
        uuidArray(latest.map((event) => event.id)),
        jsonbArray(latest.map((event) => jsonText(event.attributes))),
        momentArray(latest.map((event) => event.occurredAt)),
      ],
      'latest-events-record',
    );
  }

  /**
   * A contact's latest event of each name, if any: from the stored latest events and from accepted events that wait for
   * processing.
   */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    eventNames: readonly string[],
  ): Promise<LatestEvent[]> {
    if (eventNames.length === 0) return [];
    return tx.query<LatestEvent>(
      `SELECT DISTINCT ON (event_name) ${RECORD} FROM (
         SELECT event_id, ${COLUMNS} FROM latest_events
         WHERE workspace_id = $1 AND environment = $2 AND external_id = $3 AND event_name = ANY ($4::text[])
         UNION ALL
         SELECT id, ${COLUMNS} FROM events WHERE workspace_id = $1 AND environment = $2 AND external_id = $3
           AND event_name = ANY ($4::text[]) AND processed_at IS NULL) AS known
       ORDER BY event_name, occurred_at DESC, event_id DESC`,
      [scope.workspaceId, scope.environment, externalId, eventNames],
    );
  }

  /** The stored latest events of many contacts. Attributes are read only for the names in `withAttributes`. */
  async ofContacts(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    eventNames: readonly string[],
    withAttributes: readonly string[],
  ): Promise<IdentifiedEvent[]> {
    return tx.query<IdentifiedEvent>(
      `SELECT external_id AS "externalId", event_name AS "eventName", event_id AS "eventId", occurred_at AS "occurredAt",
         CASE WHEN event_name = ANY ($5::text[]) THEN attributes ELSE '{}' END AS attributes
       FROM latest_events
       WHERE workspace_id = $1 AND environment = $2 AND external_id = ANY ($3::text[]) AND event_name = ANY ($4::text[])`,
      [scope.workspaceId, scope.environment, externalIds, eventNames, withAttributes],
      'latest-events-of-contacts',
    );
  }

  /** The bytes of the attributes of many contacts' stored latest events. */
  async weigh(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    eventNames: readonly string[],
  ): Promise<WeighedEvent[]> {
    return tx.query<WeighedEvent>(
      `SELECT external_id AS "externalId", event_name AS "eventName", ${byteSizeSql('attributes')} AS bytes
       FROM latest_events
       WHERE workspace_id = $1 AND environment = $2 AND external_id = ANY ($3::text[]) AND event_name = ANY ($4::text[])`,
      [scope.workspaceId, scope.environment, externalIds, eventNames],
      'latest-events-weigh',
    );
  }

  /** The bytes of the attributes of stored events, by id. */
  async weighAttributes(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    const rows = await tx.query<{ id: string; bytes: number }>(
      `SELECT id, ${byteSizeSql('attributes')} AS bytes FROM events
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, uuidArray(ids)],
      'events-weigh',
    );
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  }

  /** The attributes of stored events, by id. */
  async attributesOf(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, JsonObject>> {
    const rows = await tx.query<{ id: string; attributes: JsonObject }>(
      'SELECT id, attributes FROM events WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, ids],
      'events-attributes',
    );
    return new Map(rows.map(({ id, attributes }) => [id, attributes]));
  }

  /** The most recent event of a name, of any contact; undefined when there is none. */
  async latestOfAnyContact(
    tx: Transaction,
    scope: TenantScope,
    eventName: string,
  ): Promise<LatestEvent | undefined> {
    const [event] = await tx.query<LatestEvent>(
      `SELECT ${RECORD} FROM (
         SELECT id, ${COLUMNS} FROM events WHERE workspace_id = $1 AND environment = $2 AND event_name = $3
         ORDER BY id DESC LIMIT ${MAX_REORDERED_EVENTS}) AS accepted
       ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [scope.workspaceId, scope.environment, eventName],
    );
    return event;
  }
}

/** One event for each contact and name, because a statement may change a row only once. Sorted by the key. */
function latestOfEach(events: readonly StoredEvent[]): StoredEvent[] {
  const latest = new Map<string, StoredEvent>();
  for (const event of events) {
    const key = `${event.externalId}\n${event.eventName}`;
    const other = latest.get(key);
    if (!other || isLater(event, other)) latest.set(key, event);
  }
  return [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
}

function isLater(event: StoredEvent, other: StoredEvent): boolean {
  const [mine, theirs] = [event.occurredAt.getTime(), other.occurredAt.getTime()];
  return mine > theirs || (mine === theirs && event.id > other.id);
}
