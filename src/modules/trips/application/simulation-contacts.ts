/**
 * Adds the contacts of a page of past events to a simulation: their current state, with their earlier trips and
 * events.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { OptOuts } from '../../contacts/application/opt-outs.js';
import { newContact, type Contact } from '../../contacts/domain/contact.js';
import { PreferenceChecks } from '../../preferences/application/preference-checks.js';
import { NO_PREFERENCES, type Preferences } from '../../preferences/domain/preferences.js';
import { SegmentMembership } from '../../segments/application/segment-membership.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import type { FlowNeeds } from '../domain/simulation/flow-needs.js';
import { placeholderId } from '../domain/simulation/placeholder-id.js';
import {
  NO_TRIPS_BEFORE,
  type InitialContactState,
  type PastEvent,
  type TripsBefore,
} from '../domain/simulation/simulation-model.js';
import { PastRepository, type PastPeriod } from '../persistence/past.repository.js';

/** Maximum bytes of properties and tags of all contacts that one simulation holds. */
const MAX_CONTACT_BYTES = 96 * 1024 * 1024;

/** Maximum number of contacts whose full records are read at a time. */
const MAX_FULL_CONTACTS_PER_QUERY = 250;

/** Which data about contacts to load, and what has been loaded so far. */
export interface ContactsRequest {
  readonly scope: TenantScope;
  readonly period: PastPeriod;
  readonly needs: FlowNeeds;
  /** The flow whose earlier trips count; null if none count. */
  readonly earlierTripsFlowId: string | null;
  /** Bytes of the contacts that were loaded so far. */
  bytes: number;
}

const NO_EVENTS: InitialContactState['latestEvents'] = new Map();

@Injectable()
export class SimulationContacts {
  constructor(
    private readonly database: Database,
    private readonly past: PastRepository,
    private readonly optOuts: OptOuts,
    private readonly suppressions: Suppressions,
    private readonly topicPreferences: PreferenceChecks,
    private readonly segments: SegmentMembership,
    private readonly clock: Clock,
  ) {}

  /**
   * The contacts of these names. Of a name without a record (deleted, or not created yet), only the name is known.
   * @throws DomainError simulation_too_large if their records would exceed the memory limit.
   */
  async load(request: ContactsRequest, events: readonly PastEvent[]): Promise<InitialContactState[]> {
    const externalIds = [...new Set(events.map(({ externalId }) => externalId))];
    const chunkSize = request.needs.readsContact
      ? MAX_FULL_CONTACTS_PER_QUERY
      : Math.max(externalIds.length, 1);
    const states: InitialContactState[] = [];
    for (let first = 0; first < externalIds.length; first += chunkSize)
      states.push(...(await this.loadChunk(request, externalIds.slice(first, first + chunkSize))));
    return states;
  }

  private async loadChunk(
    request: ContactsRequest,
    externalIds: readonly string[],
  ): Promise<InitialContactState[]> {
    const { scope, needs, period } = request;
    const found = await this.past.contacts(scope, externalIds, needs.readsContact);
    request.bytes += found.reduce((sum, { bytes }) => sum + bytes, 0);
    if (request.bytes > MAX_CONTACT_BYTES)
      throw new DomainError(
        'simulation_too_large',
        'The contacts of the period hold too much data to be simulated together: choose a shorter period.',
      );
    const contacts = withPlaceholders(
      externalIds,
      found.map(({ contact }) => contact),
      period.from,
    );
    const optedOut = await this.optedOut(scope, contacts);
    const suppressed = await this.database.listInScope(scope, (tx) =>
      this.suppressions.among(tx, scope, contacts),
    );
    const preferences = await this.preferences(scope, contacts);
    const members = await this.members(scope, needs, contacts);
    const earlierTrips = await this.earlierTrips(request, contacts);
    const latest = await this.past.latestBefore(scope, externalIds, period, [...needs.checkedEvents]);
    return contacts.map((contact) => ({
      contact,
      hasOptedOut: optedOut.has(contact.id),
      suppressedFor: suppressed.get(contact.id) ?? null,
      preferences: preferences.get(contact.id) ?? NO_PREFERENCES,
      segmentIds: segmentsOf(contact, members),
      before: earlierTrips.get(contact.id) ?? NO_TRIPS_BEFORE,
      latestEvents: latest.get(contact.externalId) ?? NO_EVENTS,
    }));
  }

  private async optedOut(scope: TenantScope, contacts: readonly Contact[]): Promise<ReadonlySet<string>> {
    const subscribed = contacts.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed');
    if (subscribed.length === 0) return new Set();
    return this.database.listInScope(scope, (tx) => this.optOuts.among(tx, scope, subscribed));
  }

  private async preferences(
    scope: TenantScope,
    contacts: readonly Contact[],
  ): Promise<ReadonlyMap<string, Preferences>> {
    const ids = contacts.map(({ id }) => id);
    return this.database.listInScope(scope, (tx) => this.topicPreferences.preferencesOf(tx, scope, ids));
  }

  private async earlierTrips(
    { scope, earlierTripsFlowId, period }: ContactsRequest,
    contacts: readonly Contact[],
  ): Promise<ReadonlyMap<string, TripsBefore>> {
    if (earlierTripsFlowId === null) return new Map();
    const ids = contacts.map(({ id }) => id);
    return this.past.tripsBefore(scope, earlierTripsFlowId, ids, period.from);
  }

  /** Which of the contacts are members of each segment. */
  private async members(
    scope: TenantScope,
    { segmentIds }: FlowNeeds,
    contacts: readonly Contact[],
  ): Promise<Map<string, ReadonlySet<string>>> {
    if (segmentIds.size === 0) return new Map();
    const isMember = await this.database.listInScope(scope, (tx) =>
      this.segments.prefetchMembership(tx, scope, [...segmentIds], contacts, this.clock.now()),
    );
    return new Map(
      [...segmentIds].map((segmentId) => {
        const members = contacts.filter((contact) => isMember(segmentId, contact));
        return [segmentId, new Set(members.map(({ id }) => id))];
      }),
    );
  }
}

const NO_SEGMENTS: ReadonlySet<string> = new Set();

/** @param members by segment. */
function segmentsOf({ id }: Contact, members: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  if (members.size === 0) return NO_SEGMENTS;
  return new Set([...members].filter(([, ids]) => ids.has(id)).map(([segmentId]) => segmentId));
}

/** The contacts, with a placeholder for each name that has none. */
function withPlaceholders(
  externalIds: readonly string[],
  contacts: readonly Contact[],
  from: Date,
): Contact[] {
  const known = new Set(contacts.map(({ externalId }) => externalId));
  const missing = externalIds.filter((externalId) => !known.has(externalId));
  return [
    ...contacts,
    ...missing.map((externalId) => newContact(placeholderId(externalId), externalId, from)),
  ];
}
