/** How often the steps of flows were taken, and which way trips went at those that have several. */
import type { StepFigure } from '../../flows/domain/flow-graph.js';
import type { TracedStep } from './advance.js';
import { summed } from './summed.js';

/** What is to be added to the figures of one step. */
export interface StepCount {
  readonly flowId: string;
  readonly stepId: number;
  /** Of a check `true` or `false`, of a split the index of the branch or variant, or `none`; else empty. */
  readonly way: string;
  readonly taken: number;
}

/** What a trip's steps add, one for each. */
export function countsOf(flowId: string, trace: readonly TracedStep[]): StepCount[] {
  return trace.map(({ stepId, way }) => ({ flowId, stepId, way, taken: 1 }));
}

/** The counts summed up, one a flow, step and way, in the order in which all transactions store them. */
export function summedCounts(counts: readonly StepCount[]): StepCount[] {
  return summed(
    counts,
    ({ flowId, stepId, way }) => `${flowId} ${String(stepId).padStart(10, '0')} ${way}`,
    (sum, { taken }) => ({ ...sum, taken: sum.taken + taken }),
  );
}

/** How many trips stand at a step. */
export interface StandingTrips {
  readonly stepId: number;
  readonly standing: number;
  readonly isMore: boolean;
}

/** The figures of a flow by its steps' ids; 0 is before the first. */
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
