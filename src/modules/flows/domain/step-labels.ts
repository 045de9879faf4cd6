/** Short labels of steps, for drawings of a flow and for the history of a trip. */
import { stepKindOf, type NewStep, type Step } from './step.js';

/** The kind of a step, and its own details. */
export interface StepLabels {
  readonly title: string;
  readonly detail: string;
}

export function stepLabels(step: NewStep | Step): StepLabels {
  const kind = stepKindOf(step);
  return { title: kind?.title ?? step.type, detail: kind?.detail(step) ?? '' };
}
