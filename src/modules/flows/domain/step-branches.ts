/** The branches of a step: what conditions and splits choose between. */
import type { Directive, Step } from './step.js';
import { listsWithin, type InnerList } from './step-tree.js';
import { checkLabel } from './step-labels.js';

/**
 * Key of a branch, and of its counters, independent of its name. For a condition the result of its check; for a split
 * the index of the branch or variant, from 0 as in paths of steps (`branches[0]`), or `none` if no branch matches.
 */
export type BranchKey = 'true' | 'false' | 'none' | `${number}`;

export function branchKeyOf(index: number): BranchKey {
  return `${index}`;
}

/** One branch of a step: its steps, and where the trip continues after them. */
export interface StepBranch {
  readonly way: BranchKey;
  /** The author's name for it; otherwise its check, or a text for the default branch. */
  readonly name: string;
  /** The name as drawings show it, with the share of a variant. */
  readonly label: string;
  readonly steps: readonly Step[];
  readonly then: Directive;
}

/** The branches of a step, in order; null for a step that does not branch. */
export function branchesOf(step: Step): readonly StepBranch[] | null {
  switch (step.type) {
    case 'condition':
      return [
        { ...named('yes'), way: 'true', steps: [], then: step.onTrue ?? 'continue' },
        { ...named('no'), way: 'false', steps: [], then: step.onFalse ?? 'continue' },
      ];
    case 'conditional_split': {
      const { branches } = step;
      const stepBranches = branchesInto(listsWithin<Step>(step), (index) => {
        const { name, check } = branches[index] ?? {};
        return named(name ?? (check ? checkLabel(check) : index === 0 ? 'all' : 'others'));
      });
      const hasDefault = branches.some(({ check }) => check === undefined);
      return hasDefault
        ? stepBranches
        : [...stepBranches, { ...named('others'), way: 'none', steps: [], then: 'continue' }];
    }
    case 'ab_split':
      return branchesInto(listsWithin<Step>(step), (index) => {
        const { name = '', percentage = 0 } = step.variants[index] ?? {};
        return { name, label: `${name} ${percentage}%` };
      });
    case 'send_email':
    case 'wait':
    case 'update_contact':
      return null;
  }
}

type BranchNames = Pick<StepBranch, 'name' | 'label'>;

function named(name: string): BranchNames {
  return { name, label: name };
}

function branchesInto(
  lists: readonly InnerList<Step>[],
  namesOf: (index: number) => BranchNames,
): StepBranch[] {
  return lists.map(({ index, steps, then }) => ({
    ...namesOf(index),
    way: branchKeyOf(index),
    steps,
    then,
  }));
}
