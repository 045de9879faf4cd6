/**
 * Runs a flow on past events, without any effect: the engine's own decisions (starts, steps, gates, goals) on a clock
 * that jumps from event to event and from wake-up to wake-up. Sections 2.3, 2.5 and 3.2.
 */
import { Heap } from '../../../../kernel/heap.js';
import { growContact } from '../../../contacts/domain/contact-growth.js';
import type { Contact } from '../../../contacts/domain/contact.js';
import {
  SendRehearsal,
  type RehearsalFacts,
  type Rehearsed,
} from '../../../delivery/domain/send-rehearsal.js';
import type { EventOfContact } from '../../../events/domain/accepted-event.js';
import { advance, type Decision } from '../advance.js';
import { BEFORE_FIRST } from '../course.js';
import { sendOptionsOf } from '../send-options.js';
import { startRefusal } from '../starts.js';
import { stateAfter } from '../trip-state.js';
import { GoalCounts, type GoalFigures } from './goal-counts.js';
import { SampleChoice, type SampledSend } from './sample-choice.js';
import {
  type KnownEvent,
  type KnownPerson,
  type PastEvent,
  type Person,
  type SimulatedFlow,
  type SimulatedMessage,
  type SimulatedTrip,
} from './simulated-world.js';
import { SimulationTally } from './simulation-tally.js';

/** What the flow needs to know, so that nothing else has to be stored. */
export interface SimulationNeeds {
  /** Names of events that checks concern. */
  readonly checkedEvents: ReadonlySet<string>;
  /** Whether checks concern the event that started the trip. */
  readonly asksTrigger: boolean;
}

/** Names new trips by the events that start them. */
export type TripNaming = (eventId: string) => string;

interface Wake {
  readonly at: number;
  /** At equal times, trips continue first, then throttle queues open, then messages are checked. */
  readonly rank: 0 | 1 | 2;
  readonly number: number;
  readonly trip?: SimulatedTrip;
  readonly message?: SimulatedMessage;
}

const RANK = { trip: 0, line: 1, message: 2 } as const;
const NOTHING_KNOWN = new Map<string, KnownEvent>();
const NO_TRIPS: SimulatedTrip[] = [];

/**
 * Simulates a flow. Pass events in the order in which they were accepted, each after its contact is known. The work
 * is split into small pieces: the caller that drives the generators may yield the thread between them, or stop early.
 * In either case, call `close` at the end.
 */
export class Simulation {
  readonly tally: SimulationTally;
  readonly goals: GoalCounts;
  private readonly sample = new SampleChoice();
  private readonly rehearsal: SendRehearsal<SimulatedMessage>;
  private readonly people = new Map<string, Person>();
  private readonly wakes = new Heap<Wake>(isBefore);
  private readonly flying = new Set<SimulatedTrip>();
  private readonly name: TripNaming;
  private numbers = 0;
  private now = new Date(0);

  constructor(
    private readonly flow: SimulatedFlow,
    private readonly needs: SimulationNeeds,
    sending: RehearsalFacts,
    name?: TripNaming,
  ) {
    this.tally = new SimulationTally(flow.steps);
    this.goals = new GoalCounts(flow.goals);
    this.rehearsal = new SendRehearsal(sending);
    // Splits distribute trips by a hash of their ids. The events' ids are good names, and are the same in every run.
    this.name = name ?? ((eventId) => eventId);
  }

  isKnown(externalId: string): boolean {
    return this.people.has(externalId);
  }

  /** Adds a contact with its state before its first event. */
  know({
    contact,
    latestEvents,
    hasRefused,
    suppressedFor,
    preferences,
    segmentIds,
    before,
  }: KnownPerson): void {
    // Field by field: a spread takes ten times as long.
    this.people.set(contact.externalId, {
      hasRefused,
      suppressedFor,
      preferences,
      segmentIds,
      before,
      contact,
      // There may be a hundred thousand contacts, so data that no check needs is not stored.
      latestEvents: this.needs.checkedEvents.size > 0 ? new Map(latestEvents) : NOTHING_KNOWN,
      trips: this.flow.goals.length > 0 ? [] : NO_TRIPS,
      started: 0,
      inFlight: 0,
      latestStart: null,
    });
  }

  /** Advances trips to the time of each event, then applies the event. */
  *hear(events: readonly PastEvent[]): Generator<void> {
    for (const event of events) {
      // Two processes whose clocks differ slightly may have accepted events at nearly the same time.
      const { acceptedAt } = event;
      const moment = acceptedAt < this.now ? this.now : acceptedAt;
      if (this.isDueBy(moment)) yield* this.until(moment);
      this.now = moment;
      this.hearOne(event);
      yield;
    }
  }

  /** The simulation's current time: that of the latest event, or that of the latest due trip. */
  get present(): Date {
    return this.now;
  }

  /** Advances trips to the end of the period. */
  *finish(end: Date): Generator<void> {
    yield* this.until(end);
    this.now = end;
  }

  /** Counts what is under way now as still under way. Nothing can follow. */
  close(): void {
    const end = this.now;
    for (const { waiting, message } of this.flying) {
      if (waiting) this.tally.waited(waiting.stepId, end.getTime() - waiting.since, false);
      const held = message?.held;
      if (message && held) this.tally.held(message.stepId, held.gate, end.getTime() - held.since, false);
    }
  }

  /** Trips under way: those whose message is held back, and those that wait or are continuing right now. */
  get inFlight(): { readonly waiting: number; readonly heldBack: number } {
    const heldBack = [...this.flying].filter(({ message }) => message?.held !== undefined).length;
    return { waiting: this.flying.size - heldBack, heldBack };
  }

  /** A few of the messages that would have been sent, from as many steps as possible. */
  get sampled(): readonly SampledSend[] {
    return this.sample.chosen();
  }

  get goalFigures(): readonly GoalFigures[] {
    return this.goals.figures();
  }

  private hearOne(event: PastEvent): void {
    this.tally.eventRead();
    const person = this.people.get(event.externalId);
    if (!person) throw new TypeError('An event is processed before its contact is known.');
    if (event.contact) person.contact = growContact(person.contact, [event.contact], this.now).contact;
    if (this.needs.checkedEvents.has(event.name)) remember(person, event);
    const { id, name, externalId, attributes, occurredAt } = event;
    const { id: contactId, subscriptionStatus } = person.contact;
    const contactReachable = subscriptionStatus !== 'deleted';
    const accepted = { id, name, externalId, attributes, occurredAt, contactId, contactReachable };
    if (this.flow.goals.length > 0) this.convert(accepted, person);
    if (event.name === this.flow.triggerEvent) this.mayStart(accepted, person);
  }

  private isDueBy(moment: Date): boolean {
    const wake = this.wakes.peek();
    return wake !== undefined && wake.at <= moment.getTime();
  }

  private *until(moment: Date): Generator<void> {
    const last = moment.getTime();
    for (let wake = this.wakes.peek(); wake && wake.at <= last; wake = this.wakes.peek()) {
      this.wakes.pop();
      this.now = new Date(Math.max(wake.at, this.now.getTime()));
      if (wake.trip) this.resume(wake.trip);
      else if (wake.message) this.look(wake.message);
      else this.openLine();
      yield;
    }
  }

  private mayStart(event: EventOfContact, person: Person): void {
    const { segmentIds, before } = person;
    const underWay = before.endings.filter((ending) => ending === null || ending > this.now).length;
    const earlier = {
      count: before.count + person.started,
      inFlight: underWay + person.inFlight,
      latestStart: person.latestStart ?? before.latestStart,
    };
    const isAdmitted = (segmentId: string): boolean => segmentIds.has(segmentId.toLowerCase());
    const refusal = startRefusal(this.flow, event, earlier, isAdmitted, this.now);
    this.tally.triggerSeen(refusal);
    if (refusal === null) this.start(event, person);
  }

  private start(event: EventOfContact, person: Person): void {
    const trip: SimulatedTrip = {
      id: this.name(event.id),
      person,
      startedAt: this.now,
      triggerEventId: event.id,
      triggerAttributes: this.needs.asksTrigger ? event.attributes : undefined,
      lastStep: BEFORE_FIRST,
      status: 'active',
      waiting: undefined,
      message: undefined,
    };
    person.started++;
    person.inFlight++;
    person.latestStart = this.now;
    if (this.flow.goals.length > 0) person.trips.push(trip);
    this.flying.add(trip);
    this.tally.tripStarted(this.now);
    this.goOn(trip);
  }

  private resume(trip: SimulatedTrip): void {
    const { waiting } = trip;
    if (!this.flying.has(trip) || !waiting) return;
    this.tally.waited(waiting.stepId, this.now.getTime() - waiting.since, true);
    trip.waiting = undefined;
    this.goOn(trip);
  }

  /** Advances a trip to its next wait, message or end. A message comes after those that are due at the same time. */
  private goOn(trip: SimulatedTrip): void {
    const { person } = trip;
    const { decision, contact, trace } = advance(trip, this.factsOf(trip), this.now);
    if (contact) person.contact = contact;
    this.tally.steps(trace);
    const { status, lastStep } = stateAfter(decision, this.now);
    trip.status = status;
    trip.lastStep = lastStep;
    if (decision.kind === 'park') {
      trip.waiting = { stepId: lastStep, since: this.now.getTime() };
      this.wakes.push({ at: decision.resumeAt.getTime(), rank: RANK.trip, number: ++this.numbers, trip });
    } else if (decision.kind === 'send') this.wakeFor(this.messageOf(trip, decision), this.now);
    else this.end(trip);
  }

  private wakeFor(message: SimulatedMessage, at: Date): void {
    this.wakes.push({ at: at.getTime(), rank: RANK.message, number: message.number, message });
  }

  private factsOf(trip: SimulatedTrip): Parameters<typeof advance>[1] {
    const { contact, latestEvents, segmentIds } = trip.person;
    return {
      steps: this.flow.steps,
      contactStanding: contact.subscriptionStatus === 'deleted' ? 'deleted' : 'present',
      contact,
      latestEvents,
      triggerAttributes: trip.triggerAttributes,
      isMember: (segmentId) => segmentIds.has(segmentId),
    };
  }

  private messageOf(
    trip: SimulatedTrip,
    { message: step }: Extract<Decision, { kind: 'send' }>,
  ): SimulatedMessage {
    const { person } = trip;
    const message: SimulatedMessage = {
      number: ++this.numbers,
      trip,
      stepId: trip.lastStep,
      templateSlug: step.templateSlug,
      options: sendOptionsOf(step),
      get contact(): Contact {
        return person.contact;
      },
      hasRefused: person.hasRefused,
      suppressedFor: person.suppressedFor,
      preferences: person.preferences,
      held: undefined,
    };
    trip.message = message;
    return message;
  }

  /** Processes a message that is due: a new one, or one that a gate has held back until now. */
  private look(message: SimulatedMessage): void {
    if (message.trip.message !== message) return;
    if (this.met(message, this.rehearsal.ask(message, this.now))) this.goOn(message.trip);
  }

  private openLine(): void {
    for (const [message, fate] of this.rehearsal.release(this.now))
      if (this.met(message, fate)) this.goOn(message.trip);
    this.watchLine();
  }

  /** @returns whether the message's outcome is known. */
  private met(message: SimulatedMessage, fate: Rehearsed): boolean {
    const { held, stepId, trip } = message;
    if (held) this.tally.held(stepId, held.gate, this.now.getTime() - held.since, true);
    message.held = undefined;
    if (fate.kind === 'wait') {
      message.held = { gate: fate.gate, since: this.now.getTime() };
      this.wakeFor(message, fate.until);
      return false;
    }
    if (fate.kind === 'in_line') {
      message.held = { gate: 'throttle', since: this.now.getTime() };
      this.watchLine();
      return false;
    }
    trip.message = undefined;
    this.tally.settled(stepId, fate, this.now);
    if (fate.kind === 'sent') this.sample.offer(message, this.now);
    return true;
  }

  private watched = Number.POSITIVE_INFINITY;

  /** Schedules a wake-up for when the first message in the throttle queue may leave. */
  private watchLine(): void {
    const opensAt = this.rehearsal.opensAt(this.now)?.getTime();
    if (opensAt === undefined || (this.watched <= opensAt && this.watched > this.now.getTime())) return;
    this.watched = opensAt;
    this.wakes.push({ at: opensAt, rank: RANK.line, number: ++this.numbers });
  }

  private convert(event: EventOfContact, person: Person): void {
    for (const trip of this.goals.hear(event, person.trips)) {
      if (!this.flying.has(trip)) continue;
      const { waiting, message } = trip;
      if (waiting) this.tally.waited(waiting.stepId, this.now.getTime() - waiting.since, true);
      if (message?.held)
        this.tally.held(message.stepId, message.held.gate, this.now.getTime() - message.held.since, true);
      if (message?.held?.gate === 'throttle') this.rehearsal.callOff(message);
      trip.waiting = undefined;
      trip.message = undefined;
      trip.status = 'terminated';
      this.end(trip);
    }
  }

  private end(trip: SimulatedTrip): void {
    this.flying.delete(trip);
    trip.person.inFlight--;
    this.tally.tripEnded(trip.status, this.now);
  }
}

function isBefore(one: Wake, other: Wake): boolean {
  return (
    one.at - other.at < 0 || (one.at === other.at && (one.rank - other.rank || one.number - other.number) < 0)
  );
}

/** Stores the event if it is later than the known one of its name. */
function remember({ latestEvents }: Person, { id, name, attributes, occurredAt }: PastEvent): void {
  const known: KnownEvent | undefined = latestEvents.get(name);
  const isLater =
    !known ||
    occurredAt > known.occurredAt ||
    (occurredAt.getTime() === known.occurredAt.getTime() && id > known.id);
  if (isLater) latestEvents.set(name, { id, attributes, occurredAt });
}
