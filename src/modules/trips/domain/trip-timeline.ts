/**
 * The history of a trip in order: its trail, completed by what the trail need not store because it follows from other
 * data: the ends of waits, the step of a wait that was cut short, what converted the trip, how it completed.
 */
import type { JsonObject } from '../../../kernel/json.js';
import type { TripWithHistory } from './trip-with-history.js';
import type { HistoryOutcome } from './outcomes.js';
import type { HistoryEntry } from './trip-history.js';

/** An event that has counted for a goal. */
export interface TripConversion {
  readonly goalId: string;
  readonly goalName: string;
  readonly eventName: string;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  /** Whether conversions to the goal end trips. */
  readonly exits: boolean;
}

export interface TimelineEntry extends Omit<HistoryEntry, 'outcome'> {
  readonly outcome: HistoryOutcome | 'entered' | 'resumed' | 'converted' | 'completed';
}

/** @param conversions in the order in which they were recorded. */
export function timelineOf(trip: TripWithHistory, conversions: readonly TripConversion[]): TimelineEntry[] {
  const { startedAt, triggerEventId, flowVersion } = trip;
  const entered: TimelineEntry = {
    at: startedAt,
    stepId: 0,
    outcome: 'entered',
    facts: { event_id: triggerEventId, flow_version: flowVersion },
  };
  const timeline = withWaitEnds(withCompletion(trip));
  return [entered, ...withConversions(timeline, conversions)];
}

/**
 * Adds the completion if the flow itself came to its end; any other end is already in the trail. Later requests of
 * people come after it.
 */
function withCompletion({ status, completedAt, endedReason, history }: TripWithHistory): TimelineEntry[] {
  if (status !== 'completed' || !completedAt) return [...history];
  const last = history.findLastIndex(({ at, outcome }) => outcome !== 'sent_again' || at < completedAt);
  const facts = { reason: endedReason ?? 'finished' };
  const completed: TimelineEntry = { at: completedAt, stepId: 0, outcome: 'completed', facts };
  return history.toSpliced(last + 1, 0, completed as HistoryEntry);
}

/** Entries that do not show by themselves that a wait is over. */
const MANUAL_OUTCOMES: readonly TimelineEntry['outcome'][] = [
  'sent_again',
  'wait_skipped',
  'retried',
  'ended',
];

/** Adds the ends of waits, which follow from the next entry. */
function withWaitEnds(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const timeline: TimelineEntry[] = [];
  let wait = 0;
  for (const entry of entries) {
    if (entry.outcome === 'wait_skipped') timeline.push({ ...entry, stepId: wait });
    else {
      const isOver = wait !== 0 && !MANUAL_OUTCOMES.includes(entry.outcome) && entry.outcome !== 'gap';
      if (isOver) timeline.push({ at: entry.at, stepId: wait, outcome: 'resumed' });
      timeline.push(entry);
      if (entry.outcome === 'parked') wait = entry.stepId;
      else if (entry.outcome !== 'sent_again') wait = 0;
    }
  }
  return timeline;
}

function withConversions(
  entries: readonly TimelineEntry[],
  conversions: readonly TripConversion[],
): TimelineEntry[] {
  const timeline: TimelineEntry[] = [];
  const remaining = [...conversions];
  for (const entry of entries) {
    // A conversion is recorded before it ends the trip; both have the same time.
    while (remaining[0] && isBefore(remaining[0], entry))
      timeline.push(conversionEntry(remaining.shift() as TripConversion));
    timeline.push(withExitGoal(entry, conversions));
  }
  return [...timeline, ...remaining.map(conversionEntry)];
}

function isBefore({ recordedAt }: TripConversion, { at, outcome }: TimelineEntry): boolean {
  return recordedAt < at || (outcome === 'ended' && recordedAt <= at);
}

function conversionEntry(conversion: TripConversion): TimelineEntry {
  return { at: conversion.recordedAt, stepId: 0, outcome: 'converted', facts: conversionFacts(conversion) };
}

/** An end that was caused by a conversion names it. */
function withExitGoal(entry: TimelineEntry, conversions: readonly TripConversion[]): TimelineEntry {
  if (entry.outcome !== 'ended' || entry.facts?.['reason'] !== 'goal_conversion') return entry;
  const exitConversion = conversions.find(
    ({ recordedAt, exits }) => exits && recordedAt.getTime() === entry.at.getTime(),
  );
  return exitConversion ? { ...entry, facts: { ...entry.facts, ...conversionFacts(exitConversion) } } : entry;
}

function conversionFacts({ goalId, goalName, eventName, eventId, occurredAt }: TripConversion): JsonObject {
  return {
    goal_id: goalId,
    goal_name: goalName,
    event_name: eventName,
    event_id: eventId,
    occurred_at: occurredAt.toISOString(),
  };
}
