/** Counts how often the steps of flows were taken, and which branch trips took at steps with several. */
import type { StepFigure } from '../../flows/domain/flow-graph.js';
import type { TracedStep } from './advance.js';
import { summed } from './summed.js';
import { hourOf } from './trip-tally.js';
import type { Trip } from './trip.js';

/** What to add to the counters of one step. */
export interface StepCount {
  readonly flowId: string;
  readonly stepId: number;
  /** For a check `true` or `false`; for a split the index of the branch or variant, or `none`; otherwise empty. */
  readonly way: string;
  /** The start of the hour in which the trips began. */
  readonly hour: Date;
  readonly taken: number;
}

/** A trip, and the steps that it has just taken. */
export interface TripTrace {
  readonly trip: Pick<Trip, 'flowId' | 'startedAt'>;
  readonly trace: readonly TracedStep[];
}

/** What the trips' steps add to the counters, one item per step. */
export function countsOf(trips: readonly TripTrace[]): StepCount[] {
  const counts: StepCount[] = [];
  for (const { trip, trace } of trips)
    for (const { stepId, way } of trace)
      counts.push({ flowId: trip.flowId, stepId, way, hour: hourOf(trip.startedAt), taken: 1 });
  return counts;
}

/** The counts summed up per flow, step, branch and hour. */
export function summedCounts(counts: readonly StepCount[]): StepCount[] {
  return summed(
    counts,
    [({ flowId }) => flowId, ({ stepId }) => stepId, ({ way }) => way, ({ hour }) => hour.getTime()],
    added,
  );
}

/** The counts summed up over hours, in the order in which all transactions store them. */
export function countsOfWays(counts: readonly StepCount[]): StepCount[] {
  return summed(counts, [({ flowId }) => flowId, ({ stepId }) => stepId, ({ way }) => way], added);
}

/** The counts summed up over branches. */
export function countsOfHours(counts: readonly StepCount[]): StepCount[] {
  return summed(
    counts,
    [({ flowId }) => flowId, ({ stepId }) => stepId, ({ hour }) => hour.getTime()],
    added,
  );
}

function added(sum: StepCount, { taken }: StepCount): StepCount {
  return { ...sum, taken: sum.taken + taken };
}

/** The number of trips that are now at a step. */
export interface StandingTrips {
  readonly stepId: number;
  readonly standing: number;
  readonly isMore: boolean;
}

/** The counts of a flow by step id; 0 is before the first. */
export function figuresOf(
  taken: readonly Pick<StepCount, 'stepId' | 'way' | 'taken'>[],
  standing: readonly StandingTrips[],
): Map<number, StepFigure> {
  const figures = new Map<number, StepFigure>();
  const of = (stepId: number): StepFigure =>
    figures.get(stepId) ?? { taken: 0, ways: new Map(), standing: 0, isMore: false };
  for (const one of taken) {
    const before = of(one.stepId);
    const ways = one.way === '' ? before.ways : new Map([...before.ways, [one.way, one.taken]]);
    figures.set(one.stepId, { ...before, taken: before.taken + one.taken, ways });
  }
  for (const { stepId, ...trips } of standing) figures.set(stepId, { ...of(stepId), ...trips });
  return figures;
}
