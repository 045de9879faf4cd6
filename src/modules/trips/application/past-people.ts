/**
 * Adds the contacts of a page of past events to a simulation: their current state, with their earlier trips and
 * events.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Refusals } from '../../contacts/application/refusals.js';
import { newContact, type Contact } from '../../contacts/domain/contact.js';
import { Objections } from '../../preferences/application/objections.js';
import { NO_PREFERENCES, type Preferences } from '../../preferences/domain/preferences.js';
import { SegmentMembership } from '../../segments/application/segment-membership.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import type { FlowNeeds } from '../domain/simulation/flow-needs.js';
import { strangerId } from '../domain/simulation/stranger-id.js';
import {
  NO_TRIPS_BEFORE,
  type KnownPerson,
  type PastEvent,
  type TripsBefore,
} from '../domain/simulation/simulated-world.js';
import { PastRepository, type PastPeriod } from '../persistence/past.repository.js';

/** Maximum bytes of properties and tags of all contacts that one simulation holds. */
const MOST_BYTES = 96 * 1024 * 1024;

/** Maximum number of contacts whose full records are read at a time. */
const MOST_WHOLE = 250;

/** Which data about contacts to load, and what has been loaded so far. */
export interface PeopleWanted {
  readonly scope: TenantScope;
  readonly period: PastPeriod;
  readonly needs: FlowNeeds;
  /** The flow whose earlier trips count; null if none count. */
  readonly historyOf: string | null;
  /** Bytes of the contacts that were loaded so far. */
  bytes: number;
}

const NO_EVENTS: KnownPerson['latestEvents'] = new Map();

@Injectable()
export class PastPeople {
  constructor(
    private readonly database: Database,
    private readonly past: PastRepository,
    private readonly refusals: Refusals,
    private readonly suppressions: Suppressions,
    private readonly objections: Objections,
    private readonly segments: SegmentMembership,
    private readonly clock: Clock,
  ) {}

  /**
   * The contacts of these names. Of a name without a record (deleted, or not created yet), only the name is known.
   * @throws DomainError simulation_too_large if their records would exceed the memory limit.
   */
  async introduce(wanted: PeopleWanted, events: readonly PastEvent[]): Promise<KnownPerson[]> {
    const externalIds = [...new Set(events.map(({ externalId }) => externalId))];
    const most = wanted.needs.asksContact ? MOST_WHOLE : Math.max(externalIds.length, 1);
    const people: KnownPerson[] = [];
    for (let first = 0; first < externalIds.length; first += most)
      people.push(...(await this.some(wanted, externalIds.slice(first, first + most))));
    return people;
  }

  private async some(wanted: PeopleWanted, externalIds: readonly string[]): Promise<KnownPerson[]> {
    const { scope, needs, period } = wanted;
    const found = await this.past.contacts(scope, externalIds, needs.asksContact);
    wanted.bytes += found.reduce((sum, { bytes }) => sum + bytes, 0);
    if (wanted.bytes > MOST_BYTES)
      throw new DomainError(
        'simulation_too_large',
        'The contacts of the period hold too much data to be simulated together: choose a shorter period.',
      );
    const contacts = withStrangers(
      externalIds,
      found.map(({ contact }) => contact),
      period.from,
    );
    const refused = await this.refused(scope, contacts);
    const suppressed = await this.database.listInScope(scope, (tx) =>
      this.suppressions.among(tx, scope, contacts),
    );
    const preferences = await this.preferences(scope, contacts);
    const members = await this.members(scope, needs, contacts);
    const before = await this.before(wanted, contacts);
    const latest = await this.past.latestBefore(scope, externalIds, period, [...needs.checkedEvents]);
    return contacts.map((contact) => ({
      contact,
      hasRefused: refused.has(contact.id),
      suppressedFor: suppressed.get(contact.id) ?? null,
      preferences: preferences.get(contact.id) ?? NO_PREFERENCES,
      segmentIds: segmentsOf(contact, members),
      before: before.get(contact.id) ?? NO_TRIPS_BEFORE,
      latestEvents: latest.get(contact.externalId) ?? NO_EVENTS,
    }));
  }

  private async refused(scope: TenantScope, contacts: readonly Contact[]): Promise<ReadonlySet<string>> {
    const subscribed = contacts.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed');
    if (subscribed.length === 0) return new Set();
    return this.database.listInScope(scope, (tx) => this.refusals.among(tx, scope, subscribed));
  }

  private async preferences(
    scope: TenantScope,
    contacts: readonly Contact[],
  ): Promise<ReadonlyMap<string, Preferences>> {
    const ids = contacts.map(({ id }) => id);
    return this.database.listInScope(scope, (tx) => this.objections.preferencesOf(tx, scope, ids));
  }

  private async before(
    { scope, historyOf, period }: PeopleWanted,
    contacts: readonly Contact[],
  ): Promise<ReadonlyMap<string, TripsBefore>> {
    if (historyOf === null) return new Map();
    const ids = contacts.map(({ id }) => id);
    return this.past.tripsBefore(scope, historyOf, ids, period.from);
  }

  /** Which of the contacts are members of each segment. */
  private async members(
    scope: TenantScope,
    { segmentIds }: FlowNeeds,
    contacts: readonly Contact[],
  ): Promise<Map<string, ReadonlySet<string>>> {
    if (segmentIds.size === 0) return new Map();
    const isMember = await this.database.listInScope(scope, (tx) =>
      this.segments.asOf(tx, scope, [...segmentIds], contacts, this.clock.now()),
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
function withStrangers(externalIds: readonly string[], contacts: readonly Contact[], from: Date): Contact[] {
  const known = new Set(contacts.map(({ externalId }) => externalId));
  const strangers = externalIds.filter((externalId) => !known.has(externalId));
  return [
    ...contacts,
    ...strangers.map((externalId) => newContact(strangerId(externalId), externalId, from)),
  ];
}
