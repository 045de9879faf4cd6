/** A flow's steps as a tree: the lists nested in a step, and every step with its path as errors show it. */
import type { Check } from './check.js';
import type { Directive, NewStep, Step } from './step.js';

/** A list of steps within a split. */
export interface InnerList<One> {
  /** Index of the split's branch or variant. */
  readonly index: number;
  readonly steps: readonly One[];
  /** Where the trip continues after these steps. */
  readonly then: Directive;
}

/** The lists of steps nested in a step, in order; a list may be empty. */
export function listsWithin<One extends NewStep | Step>(step: One): InnerList<One>[] {
  if (step.type === 'conditional_split')
    return step.branches.map(({ steps = [], onTrue }, index) => ({
      index,
      steps: steps as readonly One[],
      then: onTrue ?? 'continue',
    }));
  if (step.type === 'ab_split')
    return step.variants.map(({ steps = [] }, index) => ({
      index,
      steps: steps as readonly One[],
      then: 'continue',
    }));
  return [];
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

/** A check and its position, such as `steps[2].branches[0].check`. */
export interface CheckWithPath {
  readonly check: Check;
  readonly path: string;
}

/** All checks of the steps, in conditions and in branches. */
export function checksWithPaths(steps: readonly (NewStep | Step)[]): CheckWithPath[] {
  return stepsWithPaths(steps).flatMap(({ step, path }) => {
    if (step.type === 'condition') return [{ check: step.check, path: `${path}.check` }];
    if (step.type !== 'conditional_split') return [];
    return step.branches.flatMap(({ check }, index) =>
      check ? [{ check, path: `${path}.branches[${index}].check` }] : [],
    );
  });
}

function nestedStepsWithPaths<One extends NewStep | Step>(
  step: One,
  path: string,
  top: number,
  depth: number,
): StepWithPath<One>[] {
  const list = step.type === 'ab_split' ? 'variants' : 'branches';
  const inner = listsWithin(step).flatMap(({ index, steps }) =>
    steps.flatMap((one, position) =>
      nestedStepsWithPaths(one, `${path}.${list}[${index}].steps[${position}]`, top, depth + 1),
    ),
  );
  return [{ step, path, top, depth }, ...inner];
}
