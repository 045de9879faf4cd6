/** Counts how often the steps of flows were taken, and which branch trips took at steps with several. */
import type { StepCounts } from '../../flows/domain/flow-graph.js';
import type { TracedStep } from './decision.js';
import { sumByKey } from './sum-by-key.js';
import { hourOf } from './trip-count-delta.js';
import type { Trip } from './trip.js';

/** What to add to the counters of one step. */
export interface StepCountDelta {
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
export function stepCountDeltas(trips: readonly TripTrace[]): StepCountDelta[] {
  const deltas: StepCountDelta[] = [];
  for (const { trip, trace } of trips)
    for (const { stepId, way } of trace)
      deltas.push({ flowId: trip.flowId, stepId, way, hour: hourOf(trip.startedAt), taken: 1 });
  return deltas;
}

/** The counts summed up per flow, step, branch and hour. */
export function sumStepDeltas(deltas: readonly StepCountDelta[]): StepCountDelta[] {
  return sumByKey(
    deltas,
    [({ flowId }) => flowId, ({ stepId }) => stepId, ({ way }) => way, ({ hour }) => hour.getTime()],
    addTaken,
  );
}

/** The counts summed up over hours, in the order in which all transactions store them. */
export function deltasByBranch(deltas: readonly StepCountDelta[]): StepCountDelta[] {
  return sumByKey(deltas, [({ flowId }) => flowId, ({ stepId }) => stepId, ({ way }) => way], addTaken);
}

/** The counts summed up over branches. */
export function deltasByHour(deltas: readonly StepCountDelta[]): StepCountDelta[] {
  return sumByKey(
    deltas,
    [({ flowId }) => flowId, ({ stepId }) => stepId, ({ hour }) => hour.getTime()],
    addTaken,
  );
}

function addTaken(sum: StepCountDelta, { taken }: StepCountDelta): StepCountDelta {
  return { ...sum, taken: sum.taken + taken };
}

/** The number of trips that are now at a step. */
export interface TripsAtStep {
  readonly stepId: number;
  readonly standing: number;
  readonly isMore: boolean;
}

/** The counts of a flow by step id; 0 is before the first. */
export function stepCountsById(
  taken: readonly Pick<StepCountDelta, 'stepId' | 'way' | 'taken'>[],
  tripsAtSteps: readonly TripsAtStep[],
): Map<number, StepCounts> {
  const countsById = new Map<number, StepCounts>();
  const countsAt = (stepId: number): StepCounts =>
    countsById.get(stepId) ?? { taken: 0, ways: new Map(), standing: 0, isMore: false };
  for (const one of taken) {
    const known = countsAt(one.stepId);
    const takenByBranch = one.way === '' ? known.ways : new Map([...known.ways, [one.way, one.taken]]);
    countsById.set(one.stepId, { ...known, taken: known.taken + one.taken, ways: takenByBranch });
  }
  for (const { stepId, ...trips } of tripsAtSteps) countsById.set(stepId, { ...countsAt(stepId), ...trips });
  return countsById;
}
