/**
 * Loads the core's inputs for a batch of trips: only what the steps ahead check, with one query for each kind of data
 * whatever the number of trips, bounded by bytes as well as by rows.
 */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { BATCH_BYTES, fittingCount } from '../../../platform/database/weight.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { LatestEvents } from '../../events/application/latest-events.js';
import { LARGEST_EVENT } from '../../events/domain/event-size.js';
import { SegmentMembership, type IsMember } from '../../segments/application/segment-membership.js';
import type { Facts } from '../domain/advance.js';
import type { LatestDone } from '../domain/check-holds.js';
import type { Needs } from '../domain/needs-ahead.js';
import type { Trip } from '../domain/trip.js';

/** A trip, and which data must be loaded to advance it. */
export interface NeedyTrip {
  readonly trip: Trip;
  readonly needs: Needs;
}

/** The inputs for a batch. Contacts include the changes of earlier trips, which `keep` records. */
export class TripFacts {
  constructor(
    private readonly standings: ReadonlyMap<string, { readonly isDeleted: boolean }>,
    private readonly contacts: Map<string, Contact>,
    private readonly latest: ReadonlyMap<string, ReadonlyMap<string, LatestDone>>,
    private readonly triggers: ReadonlyMap<string, JsonObject>,
    private readonly isMember: IsMember,
  ) {}

  /** @param steps of the trip's flow version; undefined if the version is gone. */
  of(trip: Trip, steps: Facts['steps']): Facts {
    return {
      steps,
      contactStanding: standingOf(this.standings.get(trip.contactId)),
      contact: this.contacts.get(trip.contactId),
      latestEvents: this.latest.get(trip.contactId) ?? NO_EVENTS,
      triggerAttributes: this.triggers.get(trip.triggerEventId),
      isMember: this.isMember,
    };
  }

  keep(contact: Contact): void {
    this.contacts.set(contact.id, contact);
  }
}

function standingOf(known: { readonly isDeleted: boolean } | undefined): Facts['contactStanding'] {
  if (!known) return 'missing';
  return known.isDeleted ? 'deleted' : 'present';
}

const NO_EVENTS: ReadonlyMap<string, LatestDone> = new Map();

@Injectable()
export class TripFactsLoader {
  constructor(
    private readonly contacts: KnownContacts,
    private readonly events: LatestEvents,
    private readonly segments: SegmentMembership,
  ) {}

  /**
   * Loads the data for as many of the first trips as stay within the size limit together, and for at least one.
   * @param triggers attributes of events by id, as far as they are already loaded.
   * @returns the inputs, and the number of trips that they cover.
   */
  async load(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly NeedyTrip[],
    triggers: ReadonlyMap<string, JsonObject>,
    now: Date,
  ): Promise<{ readonly facts: TripFacts; readonly count: number }> {
    const isRead = ({ needs }: NeedyTrip): boolean => needs.changesContact || needs.asksContact;
    const standings = await this.contacts.standings(tx, scope, contactIds(trips), trips.some(isRead));
    const weights = new Map<string, number>();
    for (const [id, { bytes }] of standings) weights.set(id, bytes);
    const read = trips.map((one) => (isRead(one) ? one.trip.contactId : undefined));
    const small = trips.slice(0, fittingCount(read, weights));
    const externalIds = await this.externalIds(tx, scope, small);
    const fitting = small.slice(0, await this.eventsFitting(tx, scope, small, externalIds, triggers));
    const asking = contactIds(fitting.filter(({ needs }) => needs.asksContact));
    const found = asking.length === 0 ? [] : await this.contacts.find(tx, scope, 'id', asking);
    const contacts = new Map(found.map((contact) => [contact.id, contact]));
    const facts = new TripFacts(
      standings,
      contacts,
      await this.latest(tx, scope, fitting, externalIds),
      await this.triggers(tx, scope, fitting, triggers),
      await this.membership(tx, scope, fitting, contacts, now),
    );
    return { facts, count: fitting.length };
  }

  /** The external_ids of contacts whose events are checked, by contact id. */
  private async externalIds(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly NeedyTrip[],
  ): Promise<ReadonlyMap<string, string>> {
    const asking = trips.filter(({ needs }) => needs.eventNames.size > 0);
    return asking.length === 0 ? new Map() : this.contacts.externalIds(tx, scope, contactIds(asking));
  }

  /**
   * How many of the first trips need event attributes that stay within the size limit together; at least one. Sizes
   * are only queried where the limit could be exceeded: most batches need few attributes or none.
   */
  private async eventsFitting(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly NeedyTrip[],
    externalIds: ReadonlyMap<string, string>,
    known: ReadonlyMap<string, JsonObject>,
  ): Promise<number> {
    const isMissing = ({ trip, needs }: NeedyTrip): boolean =>
      needs.asksTrigger && !known.has(trip.triggerEventId);
    let most = 0;
    for (const one of trips) most += (one.needs.attributesOf.size + (isMissing(one) ? 1 : 0)) * LARGEST_EVENT;
    if (most <= BATCH_BYTES) return trips.length;

    const weights = new Map<string, number>();
    const byExternalId = new Map([...externalIds].map(([id, externalId]) => [externalId, id]));
    const names = new Set(trips.flatMap(({ needs }) => [...needs.attributesOf]));
    if (names.size > 0)
      for (const { externalId, eventName, bytes } of await this.events.weigh(
        tx,
        scope,
        [...byExternalId.keys()],
        [...names],
      ))
        weights.set(latestKey(byExternalId.get(externalId) ?? '', eventName), bytes);
    const triggers = [...new Set(trips.filter(isMissing).map(({ trip }) => trip.triggerEventId))];
    if (triggers.length > 0)
      for (const [id, bytes] of await this.events.weighAttributes(tx, scope, triggers))
        weights.set(id, bytes);
    const asked = trips.map((one) => {
      const latest = [...one.needs.attributesOf].map((name) => latestKey(one.trip.contactId, name));
      return isMissing(one) ? [...latest, one.trip.triggerEventId] : latest;
    });
    return fittingCount(asked, weights);
  }

  /** The latest events that are checked, by contact and name. */
  private async latest(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly NeedyTrip[],
    externalIds: ReadonlyMap<string, string>,
  ): Promise<Map<string, Map<string, LatestDone>>> {
    const latest = new Map<string, Map<string, LatestDone>>();
    const asking = trips.filter(({ needs }) => needs.eventNames.size > 0);
    if (asking.length === 0) return latest;
    const names = new Set(asking.flatMap(({ needs }) => [...needs.eventNames]));
    const withAttributes = new Set(asking.flatMap(({ needs }) => [...needs.attributesOf]));
    const byExternalId = new Map<string, string>();
    for (const id of contactIds(asking)) {
      const externalId = externalIds.get(id);
      if (externalId !== undefined) byExternalId.set(externalId, id);
    }
    const events = await this.events.ofContacts(
      tx,
      scope,
      [...byExternalId.keys()],
      [...names],
      [...withAttributes],
    );
    for (const { externalId, eventName, eventId, attributes, occurredAt } of events) {
      const contactId = byExternalId.get(externalId) ?? '';
      const byName = latest.get(contactId) ?? new Map<string, LatestDone>();
      latest.set(contactId, byName.set(eventName, { attributes, occurredAt, eventId }));
    }
    return latest;
  }

  private async triggers(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly NeedyTrip[],
    known: ReadonlyMap<string, JsonObject>,
  ): Promise<ReadonlyMap<string, JsonObject>> {
    const asking = trips.filter(({ needs }) => needs.asksTrigger);
    const missing = new Set(asking.map(({ trip }) => trip.triggerEventId).filter((id) => !known.has(id)));
    if (missing.size === 0) return known;
    return new Map([...known, ...(await this.events.attributesOf(tx, scope, [...missing]))]);
  }

  private async membership(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly NeedyTrip[],
    contacts: ReadonlyMap<string, Contact>,
    now: Date,
  ): Promise<IsMember> {
    const segmentIds = new Set(trips.flatMap(({ needs }) => [...needs.segmentIds]));
    const asked = trips.filter(({ needs }) => needs.segmentIds.size > 0);
    const who = contactIds(asked).flatMap((id) => contacts.get(id) ?? []);
    return this.segments.asOf(tx, scope, [...segmentIds], who, now);
  }
}

function contactIds(trips: readonly NeedyTrip[]): string[] {
  return [...new Set(trips.map(({ trip }) => trip.contactId))];
}

/** The key of an event in the size query, for an event whose attributes are checked. */
function latestKey(contactId: string, eventName: string): string {
  return `${contactId} ${eventName}`;
}
