/**
 * Loads the core's inputs for a batch of trips: only what the steps ahead check, with one query for each kind of data
 * whatever the number of trips, bounded by bytes as well as by rows.
 */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MAX_BATCH_BYTES, fittingCount } from '../../../platform/database/byte-size.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { LatestEventRepository } from '../../events/persistence/latest-event.repository.js';
import { MAX_EVENT_BYTES } from '../../events/domain/accepted-event.js';
import { SegmentMembership, type IsMember } from '../../segments/application/segment-membership.js';
import type { DecisionInputs } from '../domain/advance.js';
import type { LatestEventOfName } from '../domain/evaluate-check.js';
import type { PrefetchNeeds } from '../domain/prefetch-needs.js';
import type { Trip } from '../domain/trip.js';

/** A trip, and which data must be loaded to advance it. */
export interface TripWithNeeds {
  readonly trip: Trip;
  readonly needs: PrefetchNeeds;
}

/** The inputs for a batch. Contacts include the changes of earlier trips, which `updateContact` records. */
export class TripInputs {
  constructor(
    private readonly contactStates: ReadonlyMap<string, { readonly isDeleted: boolean }>,
    private readonly contacts: Map<string, Contact>,
    private readonly latest: ReadonlyMap<string, ReadonlyMap<string, LatestEventOfName>>,
    private readonly triggers: ReadonlyMap<string, JsonObject>,
    private readonly isMember: IsMember,
  ) {}

  /** @param steps of the trip's flow version; undefined if the version is gone. */
  of(trip: Trip, steps: DecisionInputs['steps']): DecisionInputs {
    return {
      steps,
      contactStatus: contactStatusOf(this.contactStates.get(trip.contactId)),
      contact: this.contacts.get(trip.contactId),
      latestEvents: this.latest.get(trip.contactId) ?? NO_EVENTS,
      triggerAttributes: this.triggers.get(trip.triggerEventId),
      isMember: this.isMember,
    };
  }

  updateContact(contact: Contact): void {
    this.contacts.set(contact.id, contact);
  }
}

function contactStatusOf(
  known: { readonly isDeleted: boolean } | undefined,
): DecisionInputs['contactStatus'] {
  if (!known) return 'missing';
  return known.isDeleted ? 'deleted' : 'present';
}

const NO_EVENTS: ReadonlyMap<string, LatestEventOfName> = new Map();

@Injectable()
export class TripInputsLoader {
  constructor(
    private readonly contacts: KnownContacts,
    private readonly events: LatestEventRepository,
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
    trips: readonly TripWithNeeds[],
    triggers: ReadonlyMap<string, JsonObject>,
    now: Date,
  ): Promise<{ readonly inputs: TripInputs; readonly count: number }> {
    const isRead = ({ needs }: TripWithNeeds): boolean => needs.changesContact || needs.readsContact;
    const contactStates = await this.contacts.states(tx, scope, contactIds(trips), trips.some(isRead));
    const weights = new Map<string, number>();
    for (const [id, { bytes }] of contactStates) weights.set(id, bytes);
    const read = trips.map((one) => (isRead(one) ? one.trip.contactId : undefined));
    const withinContactLimit = trips.slice(0, fittingCount(read, weights));
    const externalIds = await this.externalIds(tx, scope, withinContactLimit);
    const fitting = withinContactLimit.slice(
      0,
      await this.countFittingEvents(tx, scope, withinContactLimit, externalIds, triggers),
    );
    const readers = contactIds(fitting.filter(({ needs }) => needs.readsContact));
    const found = readers.length === 0 ? [] : await this.contacts.find(tx, scope, 'id', readers);
    const contacts = new Map(found.map((contact) => [contact.id, contact]));
    const inputs = new TripInputs(
      contactStates,
      contacts,
      await this.latest(tx, scope, fitting, externalIds),
      await this.triggers(tx, scope, fitting, triggers),
      await this.membership(tx, scope, fitting, contacts, now),
    );
    return { inputs, count: fitting.length };
  }

  /** The external_ids of contacts whose events are checked, by contact id. */
  private async externalIds(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithNeeds[],
  ): Promise<ReadonlyMap<string, string>> {
    const readers = trips.filter(({ needs }) => needs.eventNames.size > 0);
    return readers.length === 0 ? new Map() : this.contacts.externalIds(tx, scope, contactIds(readers));
  }

  /**
   * How many of the first trips need event attributes that stay within the size limit together; at least one. Sizes
   * are only queried where the limit could be exceeded: most batches need few attributes or none.
   */
  private async countFittingEvents(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithNeeds[],
    externalIds: ReadonlyMap<string, string>,
    known: ReadonlyMap<string, JsonObject>,
  ): Promise<number> {
    const isMissing = ({ trip, needs }: TripWithNeeds): boolean =>
      needs.readsTriggerEvent && !known.has(trip.triggerEventId);
    let maxBytes = 0;
    for (const one of trips)
      maxBytes += (one.needs.attributeEventNames.size + (isMissing(one) ? 1 : 0)) * MAX_EVENT_BYTES;
    if (maxBytes <= MAX_BATCH_BYTES) return trips.length;

    const weights = new Map<string, number>();
    const byExternalId = new Map([...externalIds].map(([id, externalId]) => [externalId, id]));
    const names = new Set(trips.flatMap(({ needs }) => [...needs.attributeEventNames]));
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
    const eventKeys = trips.map((one) => {
      const latest = [...one.needs.attributeEventNames].map((name) => latestKey(one.trip.contactId, name));
      return isMissing(one) ? [...latest, one.trip.triggerEventId] : latest;
    });
    return fittingCount(eventKeys, weights);
  }

  /** The latest events that are checked, by contact and name. */
  private async latest(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithNeeds[],
    externalIds: ReadonlyMap<string, string>,
  ): Promise<Map<string, Map<string, LatestEventOfName>>> {
    const latest = new Map<string, Map<string, LatestEventOfName>>();
    const readers = trips.filter(({ needs }) => needs.eventNames.size > 0);
    if (readers.length === 0) return latest;
    const names = new Set(readers.flatMap(({ needs }) => [...needs.eventNames]));
    const withAttributes = new Set(readers.flatMap(({ needs }) => [...needs.attributeEventNames]));
    const byExternalId = new Map<string, string>();
    for (const id of contactIds(readers)) {
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
      const byName = latest.get(contactId) ?? new Map<string, LatestEventOfName>();
      latest.set(contactId, byName.set(eventName, { attributes, occurredAt, eventId }));
    }
    return latest;
  }

  private async triggers(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithNeeds[],
    known: ReadonlyMap<string, JsonObject>,
  ): Promise<ReadonlyMap<string, JsonObject>> {
    const readers = trips.filter(({ needs }) => needs.readsTriggerEvent);
    const missing = new Set(readers.map(({ trip }) => trip.triggerEventId).filter((id) => !known.has(id)));
    if (missing.size === 0) return known;
    return new Map([...known, ...(await this.events.attributesOf(tx, scope, [...missing]))]);
  }

  private async membership(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithNeeds[],
    contacts: ReadonlyMap<string, Contact>,
    now: Date,
  ): Promise<IsMember> {
    const segmentIds = new Set(trips.flatMap(({ needs }) => [...needs.segmentIds]));
    const checkingTrips = trips.filter(({ needs }) => needs.segmentIds.size > 0);
    const checkedContacts = contactIds(checkingTrips).flatMap((id) => contacts.get(id) ?? []);
    return this.segments.prefetchMembership(tx, scope, [...segmentIds], checkedContacts, now);
  }
}

function contactIds(trips: readonly TripWithNeeds[]): string[] {
  return [...new Set(trips.map(({ trip }) => trip.contactId))];
}

/** The key of an event in the size query, for an event whose attributes are checked. */
function latestKey(contactId: string, eventName: string): string {
  return `${contactId} ${eventName}`;
}
