/**
 * The history of a trip in order: its trail, completed by what the trail need not store because it follows from other
 * data: the ends of waits, the step of a wait that was cut short, what converted the trip, how it completed.
 */
import type { JsonObject } from '../../../kernel/json.js';
import type { KeptTrip } from './kept-trip.js';
import type { TrailOutcome } from './outcomes.js';
import type { TrailEntry } from './trail.js';

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

export interface StoryEntry extends Omit<TrailEntry, 'outcome'> {
  readonly outcome: TrailOutcome | 'entered' | 'resumed' | 'converted' | 'completed';
}

/** @param conversions in the order in which they were recorded. */
export function storyOf(trip: KeptTrip, conversions: readonly TripConversion[]): StoryEntry[] {
  const { startedAt, triggerEventId, flowVersion } = trip;
  const entered: StoryEntry = {
    at: startedAt,
    stepId: 0,
    outcome: 'entered',
    facts: { event_id: triggerEventId, flow_version: flowVersion },
  };
  const told = withWaits(withCompletion(trip));
  return [entered, ...withConversions(told, conversions)];
}

/**
 * Adds the completion if the flow itself came to its end; any other end is already in the trail. Later requests of
 * people come after it.
 */
function withCompletion({ status, completedAt, endedReason, trail }: KeptTrip): StoryEntry[] {
  if (status !== 'completed' || !completedAt) return [...trail];
  const last = trail.findLastIndex(({ at, outcome }) => outcome !== 'sent_again' || at < completedAt);
  const facts = { reason: endedReason ?? 'finished' };
  const completed: StoryEntry = { at: completedAt, stepId: 0, outcome: 'completed', facts };
  return trail.toSpliced(last + 1, 0, completed as TrailEntry);
}

/** Entries that do not show by themselves that a wait is over. */
const BY_HAND: readonly StoryEntry['outcome'][] = ['sent_again', 'wait_skipped', 'retried', 'ended'];

/** Adds the ends of waits, which follow from the next entry. */
function withWaits(entries: readonly StoryEntry[]): StoryEntry[] {
  const told: StoryEntry[] = [];
  let wait = 0;
  for (const entry of entries) {
    if (entry.outcome === 'wait_skipped') told.push({ ...entry, stepId: wait });
    else {
      const isOver = wait !== 0 && !BY_HAND.includes(entry.outcome) && entry.outcome !== 'gap';
      if (isOver) told.push({ at: entry.at, stepId: wait, outcome: 'resumed' });
      told.push(entry);
      if (entry.outcome === 'parked') wait = entry.stepId;
      else if (entry.outcome !== 'sent_again') wait = 0;
    }
  }
  return told;
}

function withConversions(
  entries: readonly StoryEntry[],
  conversions: readonly TripConversion[],
): StoryEntry[] {
  const told: StoryEntry[] = [];
  const left = [...conversions];
  for (const entry of entries) {
    // A conversion is recorded before it ends the trip; both have the same time.
    while (left[0] && isBefore(left[0], entry)) told.push(convertedBy(left.shift() as TripConversion));
    told.push(exitOf(entry, conversions));
  }
  return [...told, ...left.map(convertedBy)];
}

function isBefore({ recordedAt }: TripConversion, { at, outcome }: StoryEntry): boolean {
  return recordedAt < at || (outcome === 'ended' && recordedAt <= at);
}

function convertedBy(conversion: TripConversion): StoryEntry {
  return { at: conversion.recordedAt, stepId: 0, outcome: 'converted', facts: factsOf(conversion) };
}

/** An end that was caused by a conversion names it. */
function exitOf(entry: StoryEntry, conversions: readonly TripConversion[]): StoryEntry {
  if (entry.outcome !== 'ended' || entry.facts?.['reason'] !== 'goal_conversion') return entry;
  const exit = conversions.find(
    ({ recordedAt, exits }) => exits && recordedAt.getTime() === entry.at.getTime(),
  );
  return exit ? { ...entry, facts: { ...entry.facts, ...factsOf(exit) } } : entry;
}

function factsOf({ goalId, goalName, eventName, eventId, occurredAt }: TripConversion): JsonObject {
  return {
    goal_id: goalId,
    goal_name: goalName,
    event_name: eventName,
    event_id: eventId,
    occurred_at: occurredAt.toISOString(),
  };
}
