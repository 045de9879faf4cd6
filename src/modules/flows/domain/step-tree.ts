/** A flow's steps as a tree: the lists nested in a step, and every step with its path as errors show it. */
import { stepKindOf, type NewStep, type Step } from './step.js';
import type { CheckWithPath, InnerList } from './steps/step-kind.js';

const NO_LISTS: readonly InnerList<never>[] = [];

/** The lists of steps nested in a step, in order; a list may be empty. */
export function listsWithin<One extends NewStep | Step>(step: One): readonly InnerList<One>[] {
  return (stepKindOf(step)?.nested?.lists(step) as readonly InnerList<One>[] | undefined) ?? NO_LISTS;
}

/** A step and its position, such as `steps[2].branches[0].steps[1]`. */
export interface StepWithPath<One> {
  readonly step: One;
  readonly path: string;
  /** Index of the flow's top-level step that it is, or that contains it. */
  readonly top: number;
  /** Nesting depth, from 1. */
  readonly depth: number;
}

/** All steps; nested steps follow their split. */
export function stepsWithPaths<One extends NewStep | Step>(steps: readonly One[]): StepWithPath<One>[] {
  return steps.flatMap((step, top) => nestedStepsWithPaths(step, `steps[${top}]`, top, 1));
}

/** All checks of the steps, in conditions and in branches. */
export function checksWithPaths(steps: readonly (NewStep | Step)[]): CheckWithPath[] {
  return stepsWithPaths(steps).flatMap(({ step, path }) =>
    (stepKindOf(step)?.checks?.(step) ?? []).map((one) => ({
      check: one.check,
      path: `${path}.${one.path}`,
    })),
  );
}

function nestedStepsWithPaths<One extends NewStep | Step>(
  step: One,
  path: string,
  top: number,
  depth: number,
): StepWithPath<One>[] {
  const list = stepKindOf(step)?.nested?.member;
  const inner = listsWithin(step).flatMap(({ index, steps }) =>
    steps.flatMap((one, position) =>
      nestedStepsWithPaths(one, `${path}.${list}[${index}].steps[${position}]`, top, depth + 1),
    ),
  );
  return [{ step, path, top, depth }, ...inner];
}
