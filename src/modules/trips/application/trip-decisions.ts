/**
 * Runs a batch of trips through the core, in the caller's transaction. `decide` stores the changes of contacts, the caller
 * stores the states, then `follow` stores the messages, counts the steps and announces the trips that have ended.
 */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { Outbox } from '../../delivery/application/outbox.js';
import type { NewEmailLog } from '../../delivery/domain/email-log.js';
import { SENDS_BELL } from '../../delivery/queue/sends.jobs.js';
import { FlowCatalogue, type FlowDefinition } from '../../flows/application/flow-catalogue.js';
import { advance, type Advance, type Decision, type TracedStep } from '../domain/advance.js';
import { contactAssignments } from '../domain/contact-assignments.js';
import { needsAhead, NO_NEEDS } from '../domain/needs-ahead.js';
import { sendOptionsOf } from '../domain/send-options.js';
import { trailOf } from '../domain/trail.js';
import { stateAfter } from '../domain/trip-state.js';
import type { Trip } from '../domain/trip.js';
import { IN_FLIGHT } from '../domain/trip-transitions.js';
import type { DecidedState } from '../persistence/trip-columns.js';
import { EndedTripsListener } from './ended-trips.listener.js';
import { StepFigures } from './step-figures.js';
import { TripFactsLoader } from './trip-facts.js';

export interface DecidedTrip {
  readonly trip: Trip;
  readonly decision: Decision;
  /** The steps that the trip took, with the reasons. */
  readonly trace: readonly TracedStep[];
  /** The trip's row after the decision. */
  readonly state: DecidedState;
  readonly definition: FlowDefinition | undefined;
}

@Injectable()
export class TripDecisions {
  constructor(
    private readonly flows: FlowCatalogue,
    private readonly contacts: KnownContacts,
    private readonly facts: TripFactsLoader,
    private readonly outbox: Outbox,
    private readonly figures: StepFigures,
    private readonly endedTrips: EndedTripsListener,
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
    const needy = trips.map((trip) => {
      const steps = definitions.of(trip)?.steps;
      return { trip, needs: steps ? needsAhead(steps, trip.lastStep) : NO_NEEDS };
    });
    const { facts, count } = await this.facts.load(tx, scope, needy, triggers, now);

    const sets = new Map<string, ContactChanges[]>();
    const decided = trips.slice(0, count).map((trip): DecidedTrip => {
      const definition = definitions.of(trip);
      const known = facts.of(trip, definition?.steps);
      const advanced = advance(trip, known, now);
      const { decision, contactUpdates, contact, trace } = advanced;
      if (contact && contact !== known.contact) facts.keep(contact);
      if (contactUpdates.length > 0) {
        const changes = contactUpdates.map(contactAssignments);
        const earlier = sets.get(trip.contactId);
        if (earlier) earlier.push(...changes);
        else sets.set(trip.contactId, changes);
      }
      return { trip, decision, trace, state: stateOf(trip, advanced, now), definition };
    });
    const refusals = await this.contacts.grow(tx, scope, sets, now);
    tx.afterCommit(() => this.metrics.contactChangesRefused.inc(refusals));
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
  async apartFromBusy<Locked extends Trip>(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Locked[],
  ): Promise<{ readonly free: readonly Locked[]; readonly busy: ReadonlySet<string> }> {
    const definitions = await this.definitions(tx, scope, trips);
    const some = trips.filter((trip) => {
      const steps = definitions.of(trip)?.steps;
      return steps !== undefined && needsAhead(steps, trip.lastStep).changesContact;
    });
    const contactIds = [...new Set(some.map(({ contactId }) => contactId))];
    const busy = new Set(await this.contacts.lockFree(tx, scope, contactIds));
    if (busy.size === 0) return { free: trips, busy };
    const leftOut = new Set(some.filter(({ contactId }) => busy.has(contactId)));
    return { free: trips.filter((trip) => !leftOut.has(trip)), busy };
  }

  /**
   * Applies the consequences of decisions whose trips are stored. Messages go into the ledger, at most one per trip
   * and step. Steps are counted, and listeners are notified of trips that are over.
   */
  async follow(
    tx: Transaction,
    scope: TenantScope,
    decided: readonly DecidedTrip[],
    now: Date,
  ): Promise<void> {
    const messages = decided.flatMap((one) => messageOf(one, now));
    await this.outbox.put(tx, scope, messages, now);
    this.figures.add(tx, scope, decided);
    const ended = decided.map(({ state }) => state).filter(({ status }) => !IN_FLIGHT.includes(status));
    await this.endedTrips.hear(tx, scope, ended, now);
    tx.afterCommit(() => {
      for (const { decision } of decided) this.metrics.trips.inc({ outcome: decision.kind });
      if (messages.length > 0) this.dispatcher.ring(SENDS_BELL, scope);
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

type Version = Pick<Trip, 'flowId' | 'flowVersion'>;

/** The definitions of a batch's flows; undefined for a version that is gone. */
class Definitions {
  private readonly flows = new Map<string, Map<number, FlowDefinition | undefined>>();

  has({ flowId, flowVersion }: Version): boolean {
    return this.flows.get(flowId)?.has(flowVersion) ?? false;
  }

  of({ flowId, flowVersion }: Version): FlowDefinition | undefined {
    return this.flows.get(flowId)?.get(flowVersion);
  }

  add({ flowId, flowVersion }: Version, definition: FlowDefinition | undefined): void {
    const versions = this.flows.get(flowId);
    if (versions) versions.set(flowVersion, definition);
    else this.flows.set(flowId, new Map([[flowVersion, definition]]));
  }
}

/**
 * Copies field by field: two spreads into one object take ten times as long, and this runs for every trip at every
 * step.
 */
function stateOf(trip: Trip, { decision, trace }: Advance, now: Date): DecidedState {
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
    trail: trailOf(trace, decision, now),
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
