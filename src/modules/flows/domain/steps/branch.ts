/** How branches of steps are identified, and where trips continue after them. */

export const DIRECTIVES = ['continue', 'skip_to_end'] as const;
/** Where a trip continues: with the next step, or at the end of the flow. */
export type Directive = (typeof DIRECTIVES)[number];

/**
 * Key of a branch, and of its counters, independent of its name. For a condition the result of its check; for a split
 * the index of the branch or variant, from 0 as in paths of steps (`branches[0]`), or `none` if no branch matches.
 */
export type BranchKey = 'true' | 'false' | 'none' | `${number}`;

export function branchKeyOf(index: number): BranchKey {
  return `${index}`;
}
