/** The branches of a step: what conditions and splits choose between. */
import { stepKindOf, type Step } from './step.js';
import type { StepBranch } from './steps/step-kind.js';

/** The branches of a step, in order; null for a step that does not branch. */
export function branchesOf(step: Step): readonly StepBranch<Step>[] | null {
  return (stepKindOf(step)?.branches?.(step) as readonly StepBranch<Step>[] | undefined) ?? null;
}
