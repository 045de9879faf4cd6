/** Takes the first branch whose check passes. If there is none, the trip continues after the split. */
import type { FieldError } from '../../../../kernel/domain-error.js';
import type { Check } from '../check.js';
import { checkLabel } from '../check-label.js';
import { fieldError } from '../field-error.js';
import { branchKeyOf, type Directive } from './branch.js';
import type { InnerList, StepBranch, StepKind } from './step-kind.js';

export interface ConditionalSplitStep<Inner> {
  readonly type: 'conditional_split';
  readonly branches: readonly Branch<Inner>[];
}

export interface Branch<Inner> {
  readonly name?: string;
  /** Absent only in the last branch, which is the default. */
  readonly check?: Check;
  readonly steps?: readonly Inner[];
  /** Where the trip continues after the branch's steps. Absent: continue, with the step after the split. */
  readonly onTrue?: Directive;
}

export const conditionalSplit: StepKind<ConditionalSplitStep<unknown>> = {
  title: 'Conditional split',
  colour: '#7e22ce',
  detail: ({ branches }) => `${branches.length} branches`,
  records: ['branches', 'check'],
  checks: ({ branches }) =>
    branches.flatMap(({ check }, index) => (check ? [{ check, path: `branches[${index}].check` }] : [])),
  branches: stepBranches,
  nested: {
    member: 'branches',
    lists: listsOf,
    mapLists: (step, change) => ({ ...step, branches: step.branches.map(change) }),
  },
};

function listsOf({ branches }: ConditionalSplitStep<unknown>): InnerList<unknown>[] {
  return branches.map(({ steps = [], onTrue }, index) => ({ index, steps, then: onTrue ?? 'continue' }));
}

function stepBranches(step: ConditionalSplitStep<unknown>): StepBranch<unknown>[] {
  const { branches } = step;
  const stepBranches = listsOf(step).map(({ index, steps, then }): StepBranch<unknown> => {
    const { name, check } = branches[index] ?? {};
    const label = name ?? (check ? checkLabel(check) : index === 0 ? 'all' : 'others');
    return { way: branchKeyOf(index), name: label, label, steps, then };
  });
  const hasDefault = branches.some(({ check }) => check === undefined);
  return hasDefault
    ? stepBranches
    : [...stepBranches, { way: 'none', name: 'others', label: 'others', steps: [], then: 'continue' }];
}

/**
 * Validates the branches as a whole, section 2.3.
 * @param field name of the list in errors, such as `steps[0].branches`.
 */
export function branchErrors(branches: readonly Branch<unknown>[], field: string): FieldError[] {
  return branches.flatMap(({ check }, index) =>
    check || index === branches.length - 1
      ? []
      : [fieldError(`${field}[${index}].check`, 'is required: only the last branch can omit it')],
  );
}
