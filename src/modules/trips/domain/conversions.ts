/**
 * Which events count for which goals, and which trips they may convert, section 2.5: those that began no later than the
 * event occurred, and no longer before than the goal's window is. A trip begins when its trigger is accepted: what the
 * same person does before the trip's row is made comes after it all the same.
 */
import { matchesAttributes } from '../../../kernel/attribute-match.js';
import { earliestId } from '../../../kernel/uuid.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import { attributionWindow, type Goal } from '../../flows/domain/goal.js';
import type { Trip } from './trip.js';
import { summed } from './summed.js';
import { hourOf } from './trip-tally.js';

/** An event that a goal counts, with what the trips of the contact through the goal's flow must be like to convert. */
export interface GoalHit {
  readonly goal: Goal;
  readonly event: EventOfContact;
  /** No trip that started before converts. */
  readonly earliestStart: Date;
  /** A trip that started behind the event converts all the same where its trigger's id sorts before this one. */
  readonly triggerBefore: string;
}

/** What the events hit, in their order. Events of contacts that may not be acted upon hit nothing. */
export function goalHits(events: readonly EventOfContact[], goals: readonly Goal[]): GoalHit[] {
  const byEvent = new Map<string, Goal[]>();
  for (const goal of goals) byEvent.set(goal.eventName, [...(byEvent.get(goal.eventName) ?? []), goal]);
  return events
    .filter(({ contactReachable }) => contactReachable)
    .flatMap((event) =>
      (byEvent.get(event.name) ?? [])
        .filter(({ eventFilters }) => matchesAttributes(eventFilters, event.attributes))
        .map((goal) => hitOf(goal, event)),
    );
}

/** Whether the hit may convert the trip, of the contact and through the goal's flow. */
export function mayConvert(
  { event, earliestStart, triggerBefore }: GoalHit,
  { startedAt, triggerEventId }: Pick<Trip, 'startedAt' | 'triggerEventId'>,
): boolean {
  if (startedAt < earliestStart || triggerEventId === event.id) return false;
  return startedAt <= event.occurredAt || triggerEventId < triggerBefore;
}

function hitOf(goal: Goal, event: EventOfContact): GoalHit {
  const occurred = event.occurredAt.getTime();
  return {
    goal,
    event,
    earliestStart: new Date(occurred - attributionWindow(goal)),
    triggerBefore: earliestId(new Date(occurred + 1)),
  };
}

/** That a trip converted to a goal by an event, as it is recorded: where it counts the trip, the event, or both. */
export interface Conversion {
  readonly tripId: string;
  readonly goalId: string;
  readonly eventId: string;
  /** When the trip started. */
  readonly enteredAt: Date;
  /** When the event occurred. */
  readonly occurredAt: Date;
  /** Whether it is the one that counts the trip as converted to the goal. */
  readonly countsTrip: boolean;
  /** Whether it is the one that counts the event, which may convert several trips. */
  readonly countsEvent: boolean;
}

/** What a conversion adds: a trip to the hour in which it started, an event to that in which it occurred. */
export function changesOfConversion({
  goalId,
  enteredAt,
  occurredAt,
  countsTrip,
  countsEvent,
}: Conversion): ConversionChange[] {
  return [
    ...(countsTrip ? [{ goalId, hour: hourOf(enteredAt), trips: 1, events: 0 }] : []),
    ...(countsEvent ? [{ goalId, hour: hourOf(occurredAt), trips: 0, events: 1 }] : []),
  ];
}

/** What a goal has counted: trips that converted, and events that converted any. */
export interface ConversionCount {
  readonly trips: number;
  readonly events: number;
}

/**
 * Of a contact's trips through a flow one event converts the newest: one that enters again and again would otherwise have
 * each event write as many rows as it ever had trips. Those that are to end all end, however many.
 */
export const MOST_CONVERTED = 100;

/** What is to be added to a goal's figures of one hour. */
export interface ConversionChange extends ConversionCount {
  readonly goalId: string;
  readonly hour: Date;
}

/** The changes of each goal and hour summed up, in the order in which all transactions store them. */
export function summedConversions(changes: readonly ConversionChange[]): ConversionChange[] {
  return summed(
    changes,
    [({ goalId }) => goalId, ({ hour }) => hour.getTime()],
    ({ goalId, hour, trips, events }, more) => ({
      goalId,
      hour,
      trips: trips + more.trips,
      events: events + more.events,
    }),
  );
}
