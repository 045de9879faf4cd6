/** Continues or skips to the end, as a check decides. */
import type { Check } from '../check.js';
import { checkLabel } from '../check-label.js';
import type { Directive } from './branch.js';
import type { StepKind } from './step-kind.js';

export interface ConditionStep {
  readonly type: 'condition';
  readonly check: Check;
  /** Absent: continue. */
  readonly onTrue?: Directive;
  readonly onFalse?: Directive;
}

export const condition: StepKind<ConditionStep> = {
  title: 'Condition',
  colour: '#7e22ce',
  detail: ({ check }) => checkLabel(check),
  records: ['check'],
  checks: ({ check }) => [{ check, path: 'check' }],
  branches: ({ onTrue, onFalse }) => [
    { way: 'true', name: 'yes', label: 'yes', steps: [], then: onTrue ?? 'continue' },
    { way: 'false', name: 'no', label: 'no', steps: [], then: onFalse ?? 'continue' },
  ],
};
