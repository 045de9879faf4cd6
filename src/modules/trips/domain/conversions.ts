/**
 * Which events count for which goals, and which trips they may convert, section 2.5: trips that began no later than
 * the event occurred, and at most the goal's window before it. A trip begins when its trigger is accepted. Anything
 * the contact does before the trip's row exists therefore still comes after its start.
 */
import { matchesAttributes } from '../../../kernel/event-attributes.js';
import { earliestId } from '../../../kernel/uuid.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import { attributionWindow, type Goal } from '../../flows/domain/goal.js';
import type { Trip } from './trip.js';
import { sumByKey } from './sum-by-key.js';
import { hourOf } from './trip-count-delta.js';

/**
 * An event that counts for a goal, with the conditions for trips of the contact through the goal's flow to convert.
 */
export interface GoalHit {
  readonly goal: Goal;
  readonly event: EventOfContact;
  /** Trips that started earlier do not convert. */
  readonly earliestStart: Date;
  /**
   * The smallest id of the millisecond after the event occurred. A trip whose row was created later still converts if
   * its trigger's id, which begins with a time, is smaller.
   */
  readonly triggerBefore: string;
}

/** The hits of the events, in order. Events of contacts that must not be processed hit nothing. */
export function goalHits(events: readonly EventOfContact[], goals: readonly Goal[]): GoalHit[] {
  const byEvent = new Map<string, Goal[]>();
  for (const goal of goals) byEvent.set(goal.eventName, [...(byEvent.get(goal.eventName) ?? []), goal]);
  return events
    .filter(({ contactReachable }) => contactReachable)
    .flatMap((event) =>
      (byEvent.get(event.name) ?? [])
        .filter(({ eventFilters }) => matchesAttributes(eventFilters, event.attributes))
        .map((goal) => goalHitOf(goal, event)),
    );
}

/** Whether the hit may convert a trip of the contact through the goal's flow. */
export function mayConvert(
  { event, earliestStart, triggerBefore }: GoalHit,
  { startedAt, triggerEventId }: Pick<Trip, 'startedAt' | 'triggerEventId'>,
): boolean {
  if (startedAt < earliestStart || triggerEventId === event.id) return false;
  return startedAt <= event.occurredAt || triggerEventId < triggerBefore;
}

function goalHitOf(goal: Goal, event: EventOfContact): GoalHit {
  const occurred = event.occurredAt.getTime();
  return {
    goal,
    event,
    earliestStart: new Date(occurred - attributionWindow(goal)),
    triggerBefore: earliestId(new Date(occurred + 1)),
  };
}

/**
 * The conversion of a trip to a goal by an event, as it is recorded, with whether it counts the trip, the event, or
 * both.
 */
export interface Conversion {
  readonly tripId: string;
  readonly goalId: string;
  readonly eventId: string;
  /** When the trip started. */
  readonly enteredAt: Date;
  /** When the event occurred. */
  readonly occurredAt: Date;
  /** Whether this conversion counts the trip as converted to the goal. */
  readonly countsTrip: boolean;
  /** Whether this conversion counts the event, which may convert several trips. */
  readonly countsEvent: boolean;
}

/**
 * What a conversion adds to the counters: a trip in the hour in which it started, an event in the hour in which it
 * occurred.
 */
export function conversionDeltas({
  goalId,
  enteredAt,
  occurredAt,
  countsTrip,
  countsEvent,
}: Conversion): ConversionDelta[] {
  return [
    ...(countsTrip ? [{ goalId, hour: hourOf(enteredAt), trips: 1, events: 0 }] : []),
    ...(countsEvent ? [{ goalId, hour: hourOf(occurredAt), trips: 0, events: 1 }] : []),
  ];
}

/** A goal's counts: trips that converted, and events that converted any. */
export interface ConversionCounts {
  readonly trips: number;
  readonly events: number;
}

/**
 * An event converts at most this many of a contact's trips through a flow, the newest. Without the limit, each event
 * of a contact that enters again and again would write a row for every earlier trip. Trips that are to end all end,
 * whatever their number.
 */
export const MAX_CONVERTED_TRIPS_PER_EVENT = 100;

/** What to add to a goal's counters of one hour. */
export interface ConversionDelta extends ConversionCounts {
  readonly goalId: string;
  readonly hour: Date;
}

/** The changes summed up per goal and hour, in the order in which all transactions store them. */
export function sumConversionDeltas(deltas: readonly ConversionDelta[]): ConversionDelta[] {
  return sumByKey(
    deltas,
    [({ goalId }) => goalId, ({ hour }) => hour.getTime()],
    ({ goalId, hour, trips, events }, more) => ({
      goalId,
      hour,
      trips: trips + more.trips,
      events: events + more.events,
    }),
  );
}
