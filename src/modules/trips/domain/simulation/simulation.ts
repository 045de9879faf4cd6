/**
 * Runs a flow on past events, without any effect: the engine's own decisions (starts, steps, gates, goals) on a clock
 * that jumps from event to event and from wake-up to wake-up. Sections 2.3, 2.5 and 3.2.
 */
import { Heap } from '../../../../kernel/heap.js';
import { mergeWithinLimits } from '../../../contacts/domain/limited-merge.js';
import type { Contact } from '../../../contacts/domain/contact.js';
import {
  SendSimulation,
  type SendSimulationInputs,
  type SimulatedSend,
} from '../../../delivery/domain/send-simulation.js';
import type { EventOfContact } from '../../../events/domain/accepted-event.js';
import { advance } from '../advance.js';
import type { Decision } from '../decision.js';
import { BEFORE_FIRST_STEP } from '../trip-path.js';
import { sendOptionsOf } from '../send-options.js';
import { startRefusal } from '../trip-starts.js';
import { stateAfter } from '../trip-state-update.js';
import { GoalCounter, type SimulatedGoalCounts } from './goal-counter.js';
import { SampleSelection, type SampledSend } from './sample-selection.js';
import {
  type KnownEvent,
  type InitialContactState,
  type PastEvent,
  type SimulatedContactState,
  type SimulatedFlow,
  type SimulatedMessage,
  type SimulatedTrip,
} from './simulation-model.js';
import { SimulationCounters } from './simulation-counters.js';

/** What the flow needs to know, so that nothing else has to be stored. */
export interface SimulationNeeds {
  /** Names of events that checks concern. */
  readonly checkedEvents: ReadonlySet<string>;
  /** Whether checks concern the event that started the trip. */
  readonly readsTriggerEvent: boolean;
}

/** Names new trips by the events that start them. */
export type TripIdOf = (eventId: string) => string;

interface ScheduledWakeUp {
  readonly at: number;
  /** At equal times, trips continue first, then throttle queues open, then messages are checked. */
  readonly rank: 0 | 1 | 2;
  readonly number: number;
  readonly trip?: SimulatedTrip;
  readonly message?: SimulatedMessage;
}

const RANK = { trip: 0, line: 1, message: 2 } as const;
const NO_KNOWN_EVENTS = new Map<string, KnownEvent>();
const NO_TRIPS: SimulatedTrip[] = [];

/**
 * Simulates a flow. Pass events in the order in which they were accepted, each after its contact is known. The work
 * is split into small pieces: the caller that drives the generators may yield the thread between them, or stop early.
 * In either case, call `close` at the end.
 */
export class Simulation {
  readonly counters: SimulationCounters;
  readonly goals: GoalCounter;
  private readonly sample = new SampleSelection();
  private readonly rehearsal: SendSimulation<SimulatedMessage>;
  private readonly contacts = new Map<string, SimulatedContactState>();
  private readonly wakeUps = new Heap<ScheduledWakeUp>(isBefore);
  private readonly tripsInFlight = new Set<SimulatedTrip>();
  private readonly tripIdOf: TripIdOf;
  private lastNumber = 0;
  private now = new Date(0);

  constructor(
    private readonly flow: SimulatedFlow,
    private readonly needs: SimulationNeeds,
    sending: SendSimulationInputs,
    tripIdOf?: TripIdOf,
  ) {
    this.counters = new SimulationCounters(flow.steps);
    this.goals = new GoalCounter(flow.goals);
    this.rehearsal = new SendSimulation(sending);
    // Splits distribute trips by a hash of their ids. The events' ids are good names, and are the same in every run.
    this.tripIdOf = tripIdOf ?? ((eventId) => eventId);
  }

  hasContact(externalId: string): boolean {
    return this.contacts.has(externalId);
  }

  /** Adds a contact with its state before its first event. */
  addContact({
    contact,
    latestEvents,
    hasOptedOut,
    suppressedFor,
    preferences,
    segmentIds,
    before,
  }: InitialContactState): void {
    // Field by field: a spread takes ten times as long.
    this.contacts.set(contact.externalId, {
      hasOptedOut,
      suppressedFor,
      preferences,
      segmentIds,
      before,
      contact,
      // There may be a hundred thousand contacts, so data that no check needs is not stored.
      latestEvents: this.needs.checkedEvents.size > 0 ? new Map(latestEvents) : NO_KNOWN_EVENTS,
      trips: this.flow.goals.length > 0 ? [] : NO_TRIPS,
      started: 0,
      inFlight: 0,
      latestStart: null,
    });
  }

  /** Advances trips to the time of each event, then applies the event. */
  *processEvents(events: readonly PastEvent[]): Generator<void> {
    for (const event of events) {
      // Two processes whose clocks differ slightly may have accepted events at nearly the same time.
      const { acceptedAt } = event;
      const moment = acceptedAt < this.now ? this.now : acceptedAt;
      if (this.isDueBy(moment)) yield* this.advanceTo(moment);
      this.now = moment;
      this.processEvent(event);
      yield;
    }
  }

  /** The simulation's current time: that of the latest event, or that of the latest due trip. */
  get currentTime(): Date {
    return this.now;
  }

  /** Advances trips to the end of the period. */
  *finish(end: Date): Generator<void> {
    yield* this.advanceTo(end);
    this.now = end;
  }

  /** Counts what is under way now as still under way. Nothing can follow. */
  close(): void {
    const end = this.now;
    for (const { waiting, message } of this.tripsInFlight) {
      if (waiting) this.counters.addWait(waiting.stepId, end.getTime() - waiting.since, false);
      const hold = message?.hold;
      if (message && hold)
        this.counters.addDelay(message.stepId, hold.gate, end.getTime() - hold.since, false);
    }
  }

  /** Trips under way: those whose message is held back, and those that wait or are continuing right now. */
  get inFlight(): { readonly waiting: number; readonly heldBack: number } {
    const heldBack = [...this.tripsInFlight].filter(({ message }) => message?.hold !== undefined).length;
    return { waiting: this.tripsInFlight.size - heldBack, heldBack };
  }

  /** A few of the messages that would have been sent, from as many steps as possible. */
  get sampled(): readonly SampledSend[] {
    return this.sample.selected();
  }

  get goalCounts(): readonly SimulatedGoalCounts[] {
    return this.goals.counts();
  }

  private processEvent(event: PastEvent): void {
    this.counters.countEvent();
    const contactState = this.contacts.get(event.externalId);
    if (!contactState) throw new TypeError('An event is processed before its contact is known.');
    if (event.contact)
      contactState.contact = mergeWithinLimits(contactState.contact, [event.contact], this.now).contact;
    if (this.needs.checkedEvents.has(event.name)) storeLatestEvent(contactState, event);
    const { id, name, externalId, attributes, occurredAt } = event;
    const { id: contactId, subscriptionStatus } = contactState.contact;
    const contactReachable = subscriptionStatus !== 'deleted';
    const accepted = { id, name, externalId, attributes, occurredAt, contactId, contactReachable };
    if (this.flow.goals.length > 0) this.recordConversions(accepted, contactState);
    if (event.name === this.flow.triggerEvent) this.startIfAdmitted(accepted, contactState);
  }

  private isDueBy(moment: Date): boolean {
    const wakeUp = this.wakeUps.peek();
    return wakeUp !== undefined && wakeUp.at <= moment.getTime();
  }

  private *advanceTo(moment: Date): Generator<void> {
    const last = moment.getTime();
    for (let wakeUp = this.wakeUps.peek(); wakeUp && wakeUp.at <= last; wakeUp = this.wakeUps.peek()) {
      this.wakeUps.pop();
      this.now = new Date(Math.max(wakeUp.at, this.now.getTime()));
      if (wakeUp.trip) this.resume(wakeUp.trip);
      else if (wakeUp.message) this.checkMessage(wakeUp.message);
      else this.releaseThrottled();
      yield;
    }
  }

  private startIfAdmitted(event: EventOfContact, contactState: SimulatedContactState): void {
    const { segmentIds, before } = contactState;
    const earlierInFlight = before.endings.filter((endedAt) => endedAt === null || endedAt > this.now).length;
    const earlier = {
      count: before.count + contactState.started,
      inFlight: earlierInFlight + contactState.inFlight,
      latestStart: contactState.latestStart ?? before.latestStart,
    };
    const isAdmitted = (segmentId: string): boolean => segmentIds.has(segmentId.toLowerCase());
    const refusal = startRefusal(this.flow, event, earlier, isAdmitted, this.now);
    this.counters.countTrigger(refusal);
    if (refusal === null) this.start(event, contactState);
  }

  private start(event: EventOfContact, contactState: SimulatedContactState): void {
    const trip: SimulatedTrip = {
      id: this.tripIdOf(event.id),
      contactState,
      startedAt: this.now,
      triggerEventId: event.id,
      triggerAttributes: this.needs.readsTriggerEvent ? event.attributes : undefined,
      lastStep: BEFORE_FIRST_STEP,
      status: 'active',
      waiting: undefined,
      message: undefined,
    };
    contactState.started++;
    contactState.inFlight++;
    contactState.latestStart = this.now;
    if (this.flow.goals.length > 0) contactState.trips.push(trip);
    this.tripsInFlight.add(trip);
    this.counters.countTripStart(this.now);
    this.advanceTrip(trip);
  }

  private resume(trip: SimulatedTrip): void {
    const { waiting } = trip;
    if (!this.tripsInFlight.has(trip) || !waiting) return;
    this.counters.addWait(waiting.stepId, this.now.getTime() - waiting.since, true);
    trip.waiting = undefined;
    this.advanceTrip(trip);
  }

  /** Advances a trip to its next wait, message or end. A message comes after those that are due at the same time. */
  private advanceTrip(trip: SimulatedTrip): void {
    const { contactState } = trip;
    const { decision, contact, trace } = advance(trip, this.inputsOf(trip), this.now);
    if (contact) contactState.contact = contact;
    this.counters.countSteps(trace);
    const { status, lastStep } = stateAfter(decision, this.now);
    trip.status = status;
    trip.lastStep = lastStep;
    if (decision.kind === 'park') {
      trip.waiting = { stepId: lastStep, since: this.now.getTime() };
      this.wakeUps.push({
        at: decision.resumeAt.getTime(),
        rank: RANK.trip,
        number: ++this.lastNumber,
        trip,
      });
    } else if (decision.kind === 'send') this.scheduleMessage(this.createMessage(trip, decision), this.now);
    else this.end(trip);
  }

  private scheduleMessage(message: SimulatedMessage, at: Date): void {
    this.wakeUps.push({ at: at.getTime(), rank: RANK.message, number: message.number, message });
  }

  private inputsOf(trip: SimulatedTrip): Parameters<typeof advance>[1] {
    const { contact, latestEvents, segmentIds } = trip.contactState;
    return {
      steps: this.flow.steps,
      contactStatus: contact.subscriptionStatus === 'deleted' ? 'deleted' : 'present',
      contact,
      latestEvents,
      triggerAttributes: trip.triggerAttributes,
      isMember: (segmentId) => segmentIds.has(segmentId),
    };
  }

  private createMessage(
    trip: SimulatedTrip,
    { message: step }: Extract<Decision, { kind: 'send' }>,
  ): SimulatedMessage {
    const { contactState } = trip;
    const message: SimulatedMessage = {
      number: ++this.lastNumber,
      trip,
      stepId: trip.lastStep,
      templateSlug: step.templateSlug,
      options: sendOptionsOf(step),
      get contact(): Contact {
        return contactState.contact;
      },
      hasRefused: contactState.hasOptedOut,
      suppressedFor: contactState.suppressedFor,
      preferences: contactState.preferences,
      hold: undefined,
    };
    trip.message = message;
    return message;
  }

  /** Processes a message that is due: a new one, or one that a gate has held back until now. */
  private checkMessage(message: SimulatedMessage): void {
    if (message.trip.message !== message) return;
    if (this.applyOutcome(message, this.rehearsal.attempt(message, this.now))) this.advanceTrip(message.trip);
  }

  private releaseThrottled(): void {
    for (const [message, outcome] of this.rehearsal.release(this.now))
      if (this.applyOutcome(message, outcome)) this.advanceTrip(message.trip);
    this.scheduleRelease();
  }

  /** @returns whether the message's outcome is known. */
  private applyOutcome(message: SimulatedMessage, outcome: SimulatedSend): boolean {
    const { hold, stepId, trip } = message;
    if (hold) this.counters.addDelay(stepId, hold.gate, this.now.getTime() - hold.since, true);
    message.hold = undefined;
    if (outcome.kind === 'wait') {
      message.hold = { gate: outcome.gate, since: this.now.getTime() };
      this.scheduleMessage(message, outcome.until);
      return false;
    }
    if (outcome.kind === 'in_line') {
      message.hold = { gate: 'throttle', since: this.now.getTime() };
      this.scheduleRelease();
      return false;
    }
    trip.message = undefined;
    this.counters.countMessage(stepId, outcome, this.now);
    if (outcome.kind === 'sent') this.sample.add(message, this.now);
    return true;
  }

  private nextReleaseAt = Number.POSITIVE_INFINITY;

  /** Schedules a wake-up for when the first message in the throttle queue may leave. */
  private scheduleRelease(): void {
    const opensAt = this.rehearsal.opensAt(this.now)?.getTime();
    if (opensAt === undefined || (this.nextReleaseAt <= opensAt && this.nextReleaseAt > this.now.getTime()))
      return;
    this.nextReleaseAt = opensAt;
    this.wakeUps.push({ at: opensAt, rank: RANK.line, number: ++this.lastNumber });
  }

  private recordConversions(event: EventOfContact, contactState: SimulatedContactState): void {
    for (const trip of this.goals.countEvent(event, contactState.trips)) {
      if (!this.tripsInFlight.has(trip)) continue;
      const { waiting, message } = trip;
      if (waiting) this.counters.addWait(waiting.stepId, this.now.getTime() - waiting.since, true);
      if (message?.hold)
        this.counters.addDelay(
          message.stepId,
          message.hold.gate,
          this.now.getTime() - message.hold.since,
          true,
        );
      if (message?.hold?.gate === 'throttle') this.rehearsal.cancel(message);
      trip.waiting = undefined;
      trip.message = undefined;
      trip.status = 'terminated';
      this.end(trip);
    }
  }

  private end(trip: SimulatedTrip): void {
    this.tripsInFlight.delete(trip);
    trip.contactState.inFlight--;
    this.counters.countTripEnd(trip.status, this.now);
  }
}

function isBefore(one: ScheduledWakeUp, other: ScheduledWakeUp): boolean {
  return (
    one.at - other.at < 0 || (one.at === other.at && (one.rank - other.rank || one.number - other.number) < 0)
  );
}

/** Stores the event if it is later than the known one of its name. */
function storeLatestEvent(
  { latestEvents }: SimulatedContactState,
  { id, name, attributes, occurredAt }: PastEvent,
): void {
  const known: KnownEvent | undefined = latestEvents.get(name);
  const isLater =
    !known ||
    occurredAt > known.occurredAt ||
    (occurredAt.getTime() === known.occurredAt.getTime() && id > known.id);
  if (isLater) latestEvents.set(name, { id, attributes, occurredAt });
}
