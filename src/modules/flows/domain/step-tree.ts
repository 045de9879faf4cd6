/** A flow's steps as a tree: which lists stand within a step, and every step with the path under which errors name it. */
import type { Check } from './check.js';
import type { Directive, NewStep, Step } from './step.js';

/** A list of steps within a split. */
export interface InnerList<One> {
  /** Of the split's branches or variants. */
  readonly index: number;
  readonly steps: readonly One[];
  /** Where the trip goes on behind them. */
  readonly then: Directive;
}

/** The lists of steps that stand within a step, in their order; one without steps is empty. */
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

/** A step and where it stands, such as `steps[2].branches[0].steps[1]`. */
export interface PlacedStep<One> {
  readonly step: One;
  readonly path: string;
  /** Index of the step of the flow itself that it is, or within which it stands. */
  readonly top: number;
  /** How many lists it stands in, from 1. */
  readonly depth: number;
}

/** Every step, those within splits behind their split. */
export function placedSteps<One extends NewStep | Step>(steps: readonly One[]): PlacedStep<One>[] {
  return steps.flatMap((step, top) => placedWithin(step, `steps[${top}]`, top, 1));
}

/** A check and where it stands, such as `steps[2].branches[0].check`. */
export interface PlacedCheck {
  readonly check: Check;
  readonly path: string;
}

/** Every check of the steps, of conditions and of branches. */
export function placedChecks(steps: readonly (NewStep | Step)[]): PlacedCheck[] {
  return placedSteps(steps).flatMap(({ step, path }) => {
    if (step.type === 'condition') return [{ check: step.check, path: `${path}.check` }];
    if (step.type !== 'conditional_split') return [];
    return step.branches.flatMap(({ check }, index) =>
      check ? [{ check, path: `${path}.branches[${index}].check` }] : [],
    );
  });
}

function placedWithin<One extends NewStep | Step>(
  step: One,
  path: string,
  top: number,
  depth: number,
): PlacedStep<One>[] {
  const list = step.type === 'ab_split' ? 'variants' : 'branches';
  const inner = listsWithin(step).flatMap(({ index, steps }) =>
    steps.flatMap((one, place) =>
      placedWithin(one, `${path}.${list}[${index}].steps[${place}]`, top, depth + 1),
    ),
  );
  return [{ step, path, top, depth }, ...inner];
}
