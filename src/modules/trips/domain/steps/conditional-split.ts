/** A conditional split in a trip. */
import type { JsonObject } from '../../../../kernel/json.js';
import { readsAddress } from '../../../flows/domain/address-checks.js';
import type { Check } from '../../../flows/domain/check.js';
import { checkLabel } from '../../../flows/domain/check-label.js';
import type { Step, StepOf } from '../../../flows/domain/step.js';
import { listsWithin } from '../../../flows/domain/step-tree.js';
import { branchKeyOf } from '../../../flows/domain/steps/branch.js';
import { formatWithheldCheck, withExpectations } from '../explained-check.js';
import type { StepHandler } from './step-handler.js';

export const conditionalSplit: StepHandler<StepOf<'conditional_split'>> = {
  stops: false,
  addNeeds({ branches }, needs) {
    for (const { check } of branches) if (check) needs.add(check);
  },
  /** The last check evaluated, which decided, comes first in the facts. */
  take(step, run, path) {
    const lists = listsWithin<Step>(step);
    const asked: JsonObject[] = [];
    const values: JsonObject[] = [];
    for (const [branch, { check }] of step.branches.entries()) {
      const result = check ? run.evaluate(check) : undefined;
      if (result) asked.unshift({ branch, holds: result.holds, ...result.facts });
      if (result?.values) values.unshift({ branch, ...result.values });
      if (result && !result.holds) continue;
      const list = lists[branch];
      if (!list) return run.fail('invalid_step');
      path.enter(list);
      return run.record(step, `branch ${branch}`, branchKeyOf(branch), ...splitInputs(asked, values));
    }
    return run.record(step, 'no branch', 'none', ...splitInputs(asked, values));
  },
  /** Branches count from 0, as in the paths of steps. */
  reason({ branches }, { outcome }, withValues) {
    const index = Number(/^branch (\d+)$/.exec(outcome)?.[1] ?? -1);
    const branch = branches[index];
    if (!branch) return { reason: 'no_branch', detail: 'No branch matches. Continues after the split.' };
    const name = branch.name === undefined ? '' : ` (“${branch.name}”)`;
    const basis = formatBranchReason(branch.check, withValues);
    return { reason: 'branch_taken', detail: `Takes branches[${index}]${name}, ${basis}.` };
  },
  shownFacts: ({ branches }, _entry, shown, withValues) => withExpectations(shown, branches, withValues),
};

/** The checks that a split evaluated, and the values that they read, if any. */
function splitInputs(asked: readonly JsonObject[], values: readonly JsonObject[]): [JsonObject, JsonObject?] {
  return values.length > 0 ? [{ asked }, { asked: values }] : [{ asked }];
}

function formatBranchReason(check: Check | undefined, withValues: boolean): string {
  if (!check) return 'since no other branch matches';
  return withValues || !readsAddress(check)
    ? `since it matches: ${checkLabel(check)}`
    : `by ${formatWithheldCheck(check)}`;
}
