/**
 * Reads a tenant's past for a simulation: events page by page in the order of acceptance, and those data about their
 * contacts that the flow needs. Writes nothing.
 */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { earliestId } from '../../../kernel/uuid.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import { MAX_BATCH_BYTES, byteSizeSql } from '../../../platform/database/byte-size.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { KnownEvent, PastEvent, TripsBefore } from '../domain/simulation/simulation-model.js';

/** Events with these names that were accepted in a period; the end is exclusive. */
export interface PastPeriod {
  readonly from: Date;
  readonly until: Date;
  readonly eventNames: readonly string[];
  /** The names of events whose attributes are read. */
  readonly attributeEventNames: readonly string[];
}

export interface PastPage {
  readonly events: readonly PastEvent[];
  /** Whether there may be more after these. */
  readonly hasMore: boolean;
}

/** A contact. Properties and tags are empty if they were not requested. */
export interface PastContact {
  readonly contact: Contact;
  /** The size of its properties and tags. */
  readonly bytes: number;
}

/**
 * A timestamp in whole milliseconds. Hundreds of thousands are read, and parsing a formatted one takes longer than
 * reading its row. The added constant is less than a microsecond, and more than the rounding error of so large a
 * number.
 */
const milliseconds = (column: string): string => `floor(date_part('epoch', ${column}) * 1000 + 0.0005)`;

/** A row with timestamps in milliseconds. */
type InMilliseconds<Row, Moments extends keyof Row> = Omit<Row, Moments> & Readonly<Record<Moments, number>>;

const EVENTS_PAGE = `
  SELECT id, name, "externalId", "acceptedAt", "occurredAt", attributes, contact, found FROM (
    SELECT e.*, count(*) OVER ()::int AS found, row_number() OVER by_age AS place,
      sum(${byteSizeSql('e.attributes')} + ${byteSizeSql('e.contact')}) OVER by_age AS bytes
    FROM (
      SELECT e.id, e.event_name AS name, e.external_id AS "externalId", ${milliseconds('e.received_at')} AS "acceptedAt",
        ${milliseconds('e.occurred_at')} AS "occurredAt", e.contact,
        CASE WHEN e.event_name = ANY ($5::text[]) THEN e.attributes ELSE '{}' END AS attributes
      FROM {events} e
      WHERE e.id > $1 AND e.id < $2 AND e.event_name = ANY ($3::text[]) ORDER BY e.id LIMIT $4) AS e
    WINDOW by_age AS (ORDER BY e.id)) AS weighed
  WHERE place = 1 OR bytes <= ${MAX_BATCH_BYTES} ORDER BY id`;

@Injectable()
export class PastRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** The number of events in the period, counted up to a limit. */
  async count(scope: TenantScope, { from, until, eventNames }: PastPeriod, limit: number): Promise<number> {
    const [row] = await this.reader.query<{ found: number }>(
      scope,
      `SELECT count(*)::int AS found FROM (
         SELECT e.id FROM {events} e WHERE e.id >= $1 AND e.id < $2 AND e.event_name = ANY ($3::text[]) LIMIT $4) AS counted`,
      [earliestId(from), earliestId(until), eventNames, limit],
    );
    return row?.found ?? 0;
  }

  /**
   * The next events of the period: as many as stay within the size limit together, and at least one.
   * @param after id of the last one read; null for the first page.
   */
  async page(
    scope: TenantScope,
    { from, until, eventNames, attributeEventNames }: PastPeriod,
    after: string | null,
    limit: number,
  ): Promise<PastPage> {
    const rows = await this.reader.query<PageRow>(scope, EVENTS_PAGE, [
      after ?? earliestId(from),
      earliestId(until),
      eventNames,
      limit,
      attributeEventNames,
    ]);
    const found = rows[0]?.found ?? 0;
    return { events: rows.map(eventOf), hasMore: found === limit || found > rows.length };
  }

  /** The current contacts with these names, including deleted ones. */
  async contacts(
    scope: TenantScope,
    externalIds: readonly string[],
    withProperties: boolean,
  ): Promise<PastContact[]> {
    const rest = withProperties
      ? `c.properties, c.tags, ${byteSizeSql('c.properties')} + ${byteSizeSql('c.tags')} AS bytes`
      : `'{}'::jsonb AS properties, '[]'::jsonb AS tags, 0 AS bytes`;
    const rows = await this.reader.query<ContactRow>(
      scope,
      `SELECT c.id, c.external_id AS "externalId", c.email, c.phone, c.first_name AS "firstName",
         c.last_name AS "lastName", c.product_type AS "productType", c.subscription_status AS "subscriptionStatus",
         c.timezone, c.locale, ${milliseconds('c.created_at')} AS "createdAt", ${milliseconds('c.updated_at')} AS "updatedAt", ${rest}
       FROM {contacts} c WHERE c.external_id = ANY ($1::text[])`,
      [externalIds],
    );
    return rows.map(contactOf);
  }

  /** Summaries, by contact, of trips through a flow that started before a moment. */
  async tripsBefore(
    scope: TenantScope,
    flowId: string,
    contactIds: readonly string[],
    from: Date,
  ): Promise<Map<string, TripsBefore>> {
    const rows = await this.reader.query<TripsBefore & { readonly contactId: string }>(
      scope,
      `SELECT t.contact_id AS "contactId", count(*)::int AS count, max(t.started_at) AS "latestStart",
         coalesce(array_agg(t.completed_at) FILTER (WHERE t.completed_at IS NULL OR t.completed_at > $3), '{}') AS endings
       FROM {trips} t
       WHERE t.flow_id = $1 AND t.contact_id = ANY ($2::uuid[]) AND t.started_at < $3 GROUP BY t.contact_id`,
      [flowId, contactIds, from],
    );
    return new Map(rows.map(({ contactId, ...before }) => [contactId, before]));
  }

  /** The latest events of these names that were accepted before the period, by external_id and name. */
  async latestBefore(
    scope: TenantScope,
    externalIds: readonly string[],
    { from, attributeEventNames }: PastPeriod,
    names: readonly string[],
  ): Promise<Map<string, Map<string, KnownEvent>>> {
    if (externalIds.length === 0 || names.length === 0) return new Map();
    const first = earliestId(from);
    const rows = await this.reader.query<LatestRow>(
      scope,
      `SELECT l.external_id AS "externalId", l.event_name AS name, l.event_id AS id, l.occurred_at AS "occurredAt",
         CASE WHEN l.event_name = ANY ($3::text[]) THEN l.attributes ELSE '{}' END AS attributes
       FROM {latest_events} l WHERE l.external_id = ANY ($1::text[]) AND l.event_name = ANY ($2::text[])`,
      [externalIds, names, attributeEventNames],
    );
    // If a contact's latest event came after the period began, the one before it is queried.
    const before = rows.filter(({ id }) => id < first);
    const newer = rows.filter(({ id }) => id >= first);
    const earlier = await this.latestBeforeId(scope, newer, first, attributeEventNames);
    const found = new Map<string, Map<string, KnownEvent>>();
    for (const { externalId, name, id, occurredAt, attributes } of [...before, ...earlier]) {
      const byName = found.get(externalId) ?? new Map<string, KnownEvent>();
      found.set(externalId, byName.set(name, { id, occurredAt, attributes }));
    }
    return found;
  }

  /** The attributes of events that are still stored, by id. */
  async attributes(scope: TenantScope, ids: readonly string[]): Promise<Map<string, JsonObject>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.query<{ id: string; attributes: JsonObject }>(
      scope,
      `SELECT e.id, e.attributes FROM {events} e WHERE e.id = ANY ($1::uuid[])`,
      [ids],
    );
    return new Map(rows.map(({ id, attributes }) => [id, attributes]));
  }

  private async latestBeforeId(
    scope: TenantScope,
    newer: readonly LatestRow[],
    first: string,
    attributeEventNames: readonly string[],
  ): Promise<LatestRow[]> {
    if (newer.length === 0) return [];
    return this.reader.query<LatestRow>(
      scope,
      `SELECT w.external_id AS "externalId", w.name, e.id, e.occurred_at AS "occurredAt",
         CASE WHEN w.name = ANY ($4::text[]) THEN e.attributes ELSE '{}' END AS attributes
       FROM unnest($1::text[], $2::text[]) AS w(external_id, name) CROSS JOIN LATERAL (
         SELECT e.id, e.occurred_at, e.attributes FROM {events} e
         WHERE e.external_id = w.external_id AND e.event_name = w.name AND e.id < $3
         ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS e`,
      [newer.map(({ externalId }) => externalId), newer.map(({ name }) => name), first, attributeEventNames],
    );
  }
}

interface LatestRow extends KnownEvent {
  readonly externalId: string;
  readonly name: string;
}

type PageRow = InMilliseconds<PastEvent, 'acceptedAt' | 'occurredAt'> & { readonly found: number };
type ContactRow = InMilliseconds<Contact, 'createdAt' | 'updatedAt'> & { readonly bytes: number };

/** Field by field, like the next function: a spread of rows takes several times as long. */
function eventOf({ id, name, externalId, acceptedAt, occurredAt, attributes, contact }: PageRow): PastEvent {
  return {
    id,
    name,
    externalId,
    acceptedAt: new Date(acceptedAt),
    occurredAt: new Date(occurredAt),
    attributes,
    contact,
  };
}

function contactOf(row: ContactRow): PastContact {
  const contact: Contact = {
    id: row.id,
    externalId: row.externalId,
    email: row.email,
    phone: row.phone,
    firstName: row.firstName,
    lastName: row.lastName,
    productType: row.productType,
    subscriptionStatus: row.subscriptionStatus,
    timezone: row.timezone,
    locale: row.locale,
    properties: row.properties,
    tags: row.tags,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
  };
  return { contact, bytes: row.bytes };
}
