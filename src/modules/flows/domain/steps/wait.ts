/** Waits for a duration. */
import type { StepKind } from './step-kind.js';

export interface WaitStep {
  readonly type: 'wait';
  /** An integer and a unit letter, as kernel/duration reads it. */
  readonly duration: string;
}

export const wait: StepKind<WaitStep> = {
  title: 'Wait',
  colour: '#a16207',
  detail: ({ duration }) => duration,
  records: [],
};
