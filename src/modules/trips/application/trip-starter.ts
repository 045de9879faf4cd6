/**
 * Turns accepted events into contacts and trips, a batch at a time and in the order in which they came: contacts are
 * created or merged, the flows that listen start trips, and each trip's first steps are taken at once. All of it is
 * one transaction, at whose end the events are marked; a crash before that leaves them to be processed again.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import {
  ContactUpserts,
  type ChangesByContact,
  type UpsertOptions,
} from '../../contacts/application/contact-upserts.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { SENDS_BELL } from '../../delivery/queue/sends.jobs.js';
import { EventRepository, type StoredEvent } from '../../events/persistence/event.repository.js';
import { lockProcessing } from '../../events/persistence/processing-lock.js';
import { LatestEventRepository } from '../../events/persistence/latest-event.repository.js';
import { planOf } from '../../limits/domain/plan.js';
import { MonthlyUsageRepository } from '../../limits/persistence/monthly-usage.repository.js';
import { SegmentTouches } from '../../segments/application/segment-touches.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import { tripStarts, type TriggerEvent } from '../domain/starts.js';
import type { Trip } from '../domain/trip.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TripDecisions, type DecidedTrip } from './trip-decisions.js';

const BATCH = 500;

@Injectable()
export class TripStarter {
  constructor(
    private readonly database: Database,
    private readonly events: EventRepository,
    private readonly latest: LatestEventRepository,
    private readonly contacts: ContactUpserts,
    private readonly usage: MonthlyUsageRepository,
    private readonly segments: SegmentTouches,
    private readonly workspaces: WorkspaceService,
    private readonly flows: FlowCatalogue,
    private readonly trips: TripRepository,
    private readonly decisions: TripDecisions,
    private readonly dispatcher: Dispatcher,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Processes the tenant's pending events until none is left or `mayGoOn` says stop.
   * @returns whether pending events may be left.
   */
  async processPending(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    while (mayGoOn()) {
      const processed = await this.processBatch(scope);
      if (processed < BATCH) return false;
    }
    return true;
  }

  private async processBatch(scope: TenantScope): Promise<number> {
    const now = this.clock.now();
    const { caps } = planOf((await this.workspaces.get(scope)).plan);
    const { processed, started, sends } = await this.database.inScope(scope, async (tx) => {
      // One worker at a time for each tenant: the order of events and the re-entry rules depend on it.
      await lockProcessing(tx, scope);
      const events = await this.events.pending(tx, scope, BATCH);
      if (events.length === 0) return { processed: 0, started: [], sends: false };
      const triggers = await this.withContacts(tx, scope, events, { now, maximum: caps.contacts });
      await this.latest.record(tx, scope, events);
      await this.segments.done(tx, scope, triggers, now);
      // Under a cap they were counted when they were accepted.
      if (caps.events === Number.POSITIVE_INFINITY)
        await this.usage.add(tx, scope, 'events', events.length, now);
      const started = await this.start(tx, scope, triggers, now);
      const sends = await this.decisions.send(tx, scope, started, now);
      await this.events.markProcessed(
        tx,
        scope,
        events.map(({ id }) => id),
        now,
      );
      return { processed: events.length, started, sends };
    });
    this.metrics.tripsStarted.inc(started.length);
    this.decisions.count(started);
    if (sends) this.dispatcher.ring(SENDS_BELL, scope);
    return processed;
  }

  private async withContacts(
    tx: Transaction,
    scope: TenantScope,
    events: readonly StoredEvent[],
    options: UpsertOptions,
  ): Promise<TriggerEvent[]> {
    const { contacts: upserted, beyondLimit } = await this.contacts.apply(
      tx,
      scope,
      changesOf(events),
      options,
    );
    this.metrics.contactsBeyondLimit.inc(beyondLimit.size);
    for (const { refused } of upserted.values()) this.metrics.contactChangesRefused.inc(refused.size);
    return events.flatMap((event): TriggerEvent[] => {
      const contact = upserted.get(event.externalId)?.contact;
      if (!contact) return [];
      return [
        {
          id: event.id,
          name: event.eventName,
          attributes: event.attributes,
          contactId: contact.id,
          contactReachable: contact.subscriptionStatus !== 'deleted',
        },
      ];
    });
  }

  private async start(
    tx: Transaction,
    scope: TenantScope,
    triggers: readonly TriggerEvent[],
    now: Date,
  ): Promise<DecidedTrip[]> {
    const flows = await this.flows.listening(tx, scope, [...new Set(triggers.map(({ name }) => name))]);
    if (flows.length === 0) return [];
    const history = await this.trips.history(
      tx,
      scope,
      flows.map(({ id }) => id),
      [...new Set(triggers.map(({ contactId }) => contactId))],
    );
    const trips = tripStarts(triggers, flows, history, now).map(({ flow, event }): Trip => ({
      id: uuidv7(now.getTime()),
      flowId: flow.id,
      flowVersion: flow.version,
      contactId: event.contactId,
      triggerEventId: event.id,
      step: 0,
    }));
    if (trips.length === 0) return [];
    const decided = await this.decisions.decide(tx, scope, trips, now);
    const inserted = await this.trips.insert(tx, scope, this.decisions.states(decided, now), now);
    return decided.filter(({ trip }) => inserted.has(trip.id));
  }
}

/** What events say about their contacts, in the events' order. */
function changesOf(events: readonly StoredEvent[]): ChangesByContact {
  const changes = new Map<string, ContactChanges[]>();
  for (const { externalId, contact } of events) {
    const earlier = changes.get(externalId) ?? [];
    if (contact) earlier.push(contact);
    changes.set(externalId, earlier);
  }
  return changes;
}
