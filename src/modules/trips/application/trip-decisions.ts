/**
 * Runs a batch of trips through the core, in the caller's transaction. `decide` stores the changes of contacts, the caller
 * stores the states, then `applyConsequences` stores the messages, counts the steps and announces the trips that have ended.
 */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { Outbox } from '../../delivery/application/outbox.js';
import type { NewEmailLog } from '../../delivery/domain/email-log.js';
import { FlowCatalogue, type FlowDefinition } from '../../flows/application/flow-catalogue.js';
import { advance, type AdvanceResult } from '../domain/advance.js';
import type { Decision, TracedStep } from '../domain/decision.js';
import { contactAssignments } from '../domain/contact-assignments.js';
import { prefetchNeedsOf, NO_PREFETCH_NEEDS } from '../domain/prefetch-needs.js';
import { sendOptionsOf } from '../domain/send-options.js';
import { formatDecisionHistory } from '../domain/trip-history.js';
import { stateAfter } from '../domain/trip-state-update.js';
import type { Trip } from '../domain/trip.js';
import { IN_FLIGHT_STATUSES } from '../domain/trip-transitions.js';
import type { DecidedTripState } from '../persistence/trip-columns.js';
import { TripCounters } from './trip-counters.js';
import { StepCounters } from './step-counters.js';
import { TripInputsLoader } from './trip-inputs.js';

export interface DecidedTrip {
  readonly trip: Trip;
  readonly decision: Decision;
  /** The steps that the trip took, with the reasons. */
  readonly trace: readonly TracedStep[];
  /** The trip's row after the decision. */
  readonly state: DecidedTripState;
  readonly definition: FlowDefinition | undefined;
}

@Injectable()
export class TripDecisions {
  constructor(
    private readonly flows: FlowCatalogue,
    private readonly contacts: KnownContacts,
    private readonly inputs: TripInputsLoader,
    private readonly outbox: Outbox,
    private readonly stepCounters: StepCounters,
    private readonly counters: TripCounters,
    private readonly dispatcher: Dispatcher,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Runs the core on the first trips of the batch whose input data stays within the size limit, and on at least one;
   * stores their changes of contacts. Trips of one contact see each other's changes, in the given order.
   * @param triggers attributes of the events that started the trips, by id, as far as they are already loaded.
   * @returns the decisions for those trips.
   */
  async decide(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Trip[],
    now: Date,
    triggers: ReadonlyMap<string, JsonObject> = new Map(),
  ): Promise<DecidedTrip[]> {
    const definitions = await this.definitions(tx, scope, trips);
    const tripsWithNeeds = trips.map((trip) => {
      const steps = definitions.of(trip)?.steps;
      return { trip, needs: steps ? prefetchNeedsOf(steps, trip.lastStep) : NO_PREFETCH_NEEDS };
    });
    const { inputs, count } = await this.inputs.load(tx, scope, tripsWithNeeds, triggers, now);

    const contactChanges = new Map<string, ContactChanges[]>();
    const decided = trips.slice(0, count).map((trip): DecidedTrip => {
      const definition = definitions.of(trip);
      const tripInputs = inputs.of(trip, definition?.steps);
      const result = advance(trip, tripInputs, now);
      const { decision, contactUpdates, contact, trace } = result;
      if (contact && contact !== tripInputs.contact) inputs.updateContact(contact);
      if (contactUpdates.length > 0) {
        const changes = contactUpdates.map(contactAssignments);
        const earlier = contactChanges.get(trip.contactId);
        if (earlier) earlier.push(...changes);
        else contactChanges.set(trip.contactId, changes);
      }
      return { trip, decision, trace, state: stateOf(trip, result, now), definition };
    });
    const refusedChanges = await this.contacts.mergeChanges(tx, scope, contactChanges, now);
    tx.afterCommit(() => this.metrics.contactChangesRefused.inc(refusedChanges));
    return decided;
  }

  /**
   * Leaves out trips whose next steps may change a contact that another transaction has locked. A transaction that
   * holds a contact may wait for its trips, as a batch of events does. A transaction that holds trips therefore never
   * waits for a contact.
   * @param trips that the transaction has locked.
   * @returns the other trips, with those of their contacts locked that may change; and the contacts of the trips left
   * out.
   */
  async skipBusyContacts<Locked extends Trip>(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Locked[],
  ): Promise<{ readonly free: readonly Locked[]; readonly busy: ReadonlySet<string> }> {
    const definitions = await this.definitions(tx, scope, trips);
    const changing = trips.filter((trip) => {
      const steps = definitions.of(trip)?.steps;
      return steps !== undefined && prefetchNeedsOf(steps, trip.lastStep).changesContact;
    });
    const contactIds = [...new Set(changing.map(({ contactId }) => contactId))];
    const busy = new Set(await this.contacts.lockAvailable(tx, scope, contactIds));
    if (busy.size === 0) return { free: trips, busy };
    const skipped = new Set(changing.filter(({ contactId }) => busy.has(contactId)));
    return { free: trips.filter((trip) => !skipped.has(trip)), busy };
  }

  /**
   * Applies the consequences of decisions whose trips are stored. Messages go into the ledger, at most one per trip
   * and step. Steps are counted, and listeners are notified of trips that are over.
   */
  async applyConsequences(
    tx: Transaction,
    scope: TenantScope,
    decided: readonly DecidedTrip[],
    now: Date,
  ): Promise<void> {
    const messages = decided.flatMap((one) => messageOf(one, now));
    await this.outbox.enqueue(tx, scope, messages, now);
    this.stepCounters.add(tx, scope, decided);
    const ended = decided
      .map(({ state }) => state)
      .filter(({ status }) => !IN_FLIGHT_STATUSES.includes(status));
    this.counters.countEnded(tx, scope, ended);
    tx.afterCommit(() => {
      for (const { decision } of decided) this.metrics.trips.inc({ outcome: decision.kind });
      if (messages.length > 0) this.dispatcher.wake(WAKE_UPS.sends, scope);
    });
  }

  private async definitions(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Trip[],
  ): Promise<Definitions> {
    const definitions = new Definitions();
    for (const trip of trips)
      if (!definitions.has(trip))
        definitions.add(trip, await this.flows.definition(tx, scope, trip.flowId, trip.flowVersion));
    return definitions;
  }
}

type FlowVersionKey = Pick<Trip, 'flowId' | 'flowVersion'>;

/** The definitions of a batch's flows; undefined for a version that is gone. */
class Definitions {
  private readonly flows = new Map<string, Map<number, FlowDefinition | undefined>>();

  has({ flowId, flowVersion }: FlowVersionKey): boolean {
    return this.flows.get(flowId)?.has(flowVersion) ?? false;
  }

  of({ flowId, flowVersion }: FlowVersionKey): FlowDefinition | undefined {
    return this.flows.get(flowId)?.get(flowVersion);
  }

  add({ flowId, flowVersion }: FlowVersionKey, definition: FlowDefinition | undefined): void {
    const versions = this.flows.get(flowId);
    if (versions) versions.set(flowVersion, definition);
    else this.flows.set(flowId, new Map([[flowVersion, definition]]));
  }
}

/**
 * Copies field by field: two spreads into one object take ten times as long, and this runs for every trip at every
 * step.
 */
function stateOf(trip: Trip, { decision, trace }: AdvanceResult, now: Date): DecidedTripState {
  const { status, lastStep, resumeAt, completedAt, endedReason } = stateAfter(decision, now);
  const { id, flowId, flowVersion, contactId, triggerEventId, startedAt } = trip;
  return {
    id,
    flowId,
    flowVersion,
    contactId,
    triggerEventId,
    startedAt,
    status,
    lastStep,
    resumeAt,
    completedAt,
    endedReason,
    historyLines: formatDecisionHistory(trace, decision, now),
  };
}

/** The message of the decision, if it has one. */
function messageOf({ trip, decision, definition }: DecidedTrip, now: Date): NewEmailLog[] {
  if (decision.kind !== 'send' || !definition) return [];
  return [
    {
      id: uuidv7(now.getTime()),
      sourceId: trip.flowId,
      origin: 'trip',
      originId: trip.id,
      originStep: decision.lastStep,
      contactId: trip.contactId,
      triggerEventId: trip.triggerEventId,
      templateSlug: decision.message.templateSlug,
      contentType: definition.contentType,
      options: sendOptionsOf(decision.message),
    },
  ];
}
