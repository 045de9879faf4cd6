/**
 * Starts trips from accepted events. Flows that listen to the event, their conditions and their re-entry rules
 * decide; each new trip takes its first steps immediately. Sections 2.3, 3.2 and 6.3.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import type { ListeningFlow } from '../../flows/domain/flow.js';
import { SegmentMembership } from '../../segments/application/segment-membership.js';
import { BEFORE_FIRST_STEP } from '../domain/trip-path.js';
import { tripStarts, type IsAdmitted } from '../domain/trip-starts.js';
import type { Trip } from '../domain/trip.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TripCounters } from './trip-counters.js';
import { TripDecisions } from './trip-decisions.js';

const MAX_TRIPS_PER_BATCH = 500;

@Injectable()
export class TripStarter {
  constructor(
    private readonly trips: TripRepository,
    private readonly decisions: TripDecisions,
    private readonly contacts: KnownContacts,
    private readonly segments: SegmentMembership,
    private readonly counters: TripCounters,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Starts the trips of the events, in order.
   * @param listening active flows, which the caller has read and locked in this transaction so that none is paused or
   * stopped; may include flows that do not listen to these events.
   */
  async start(
    tx: Transaction,
    scope: TenantScope,
    events: readonly EventOfContact[],
    listening: readonly ListeningFlow[],
    now: Date,
  ): Promise<void> {
    const names = new Set(events.map(({ name }) => name));
    const flows = listening.filter(({ triggerEvent }) => names.has(triggerEvent));
    if (flows.length === 0) return;
    const earlierTrips = await this.trips.earlierTrips(
      tx,
      scope,
      flows.map(({ id }) => id),
      [...new Set(events.map(({ contactId }) => contactId))],
    );
    const isAdmitted = await this.admission(tx, scope, events, flows, now);
    const trips = tripStarts(events, flows, earlierTrips, isAdmitted, now).map(({ flow, event }): Trip => ({
      id: uuidv7(now.getTime()),
      flowId: flow.id,
      flowVersion: flow.version,
      contactId: event.contactId,
      triggerEventId: event.id,
      lastStep: BEFORE_FIRST_STEP,
      startedAt: now,
    }));
    const triggers = new Map(events.map(({ id, attributes }) => [id, attributes]));
    // Many flows may listen to one event, so the number of trips decided at a time is bounded here, too.
    for (let remaining = trips; remaining.length > 0;) {
      const decided = await this.decisions.decide(
        tx,
        scope,
        remaining.slice(0, MAX_TRIPS_PER_BATCH),
        now,
        triggers,
      );
      remaining = remaining.slice(decided.length);
      const inserted = await this.trips.insert(
        tx,
        scope,
        decided.map(({ state }) => state),
        now,
      );
      const started = decided.filter(({ trip }) => inserted.has(trip.id));
      this.counters.countStarted(
        tx,
        scope,
        started.map(({ state }) => state),
      );
      await this.decisions.applyConsequences(tx, scope, started, now);
      tx.afterCommit(() => this.metrics.tripsStarted.inc(started.length));
    }
  }

  /**
   * Which contacts are in the segments of these flows, after the events. The batch is already bounded by the bytes of
   * its contacts.
   */
  private async admission(
    tx: Transaction,
    scope: TenantScope,
    events: readonly EventOfContact[],
    flows: readonly ListeningFlow[],
    now: Date,
  ): Promise<IsAdmitted> {
    const limited = flows.filter(({ segmentId }) => segmentId !== null);
    const names = new Set(limited.map(({ triggerEvent }) => triggerEvent));
    const ids = new Set(events.flatMap(({ name, contactId }) => (names.has(name) ? [contactId] : [])));
    if (ids.size === 0) return () => false;
    const contacts = await this.contacts.find(tx, scope, 'id', [...ids]);
    const segmentIds = new Set(limited.flatMap(({ segmentId }) => segmentId ?? []));
    const isMember = await this.segments.prefetchMembership(tx, scope, [...segmentIds], contacts, now);
    const byId = new Map(contacts.map((contact) => [contact.id, contact]));
    return (segmentId, contactId) => {
      const contact = byId.get(contactId);
      return contact !== undefined && isMember(segmentId, contact);
    };
  }
}
