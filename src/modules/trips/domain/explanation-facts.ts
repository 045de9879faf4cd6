/**
 * What a decision was based on: the recorded inputs from the trail, and what the flow asked for, from its version.
 */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { readsAddress } from '../../flows/domain/address-checks.js';
import type { Check } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { branchKeyOf, type BranchKey } from '../../flows/domain/step-branches.js';
import { namesAddress } from '../../segments/domain/filter-inputs.js';
import type { TimelineEntry } from './trip-timeline.js';

/** Values of a contact, and results of checks of an address, are only shown to callers who may read contacts. */
export function shownFacts(
  { outcome, facts = {}, values }: TimelineEntry,
  step: Step | undefined,
  withValues: boolean,
): JsonObject {
  const shown = withValues ? { ...facts, ...(values ? { values } : {}) } : withoutResult(facts);
  if (step?.type === 'condition') return { ...shown, ...expectationOf(step.check, withValues) };
  if (step?.type === 'update_contact' && outcome === 'updated') return { ...shown, set: step.set };
  const { asked } = facts;
  if (!Array.isArray(asked)) return shown;
  const branches = step?.type === 'conditional_split' ? step.branches : [];
  return {
    ...shown,
    asked: asked.map((one: unknown) => {
      if (!isJsonObject(one)) return one;
      const check = branches[Number(one['branch'])]?.check;
      return { ...(withValues ? one : withoutResult(one)), ...(check && expectationOf(check, withValues)) };
    }),
  };
}

/** The inputs of a check. Leaves out whether it holds if that would reveal an address. */
function withoutResult(facts: JsonObject): JsonObject {
  const { holds, ...rest } = facts;
  const { field } = facts;
  return holds === undefined || (typeof field === 'string' && namesAddress(field)) ? rest : facts;
}

/** What a check compares with: its operator, and the expected value. */
function expectationOf(check: Check, withValues: boolean): JsonObject {
  if (!withValues && readsAddress(check)) return {};
  switch (check.source) {
    case 'contact':
    case 'trigger_event': {
      const { operator, value } = check;
      return { operator, ...(value === undefined ? {} : { expected: value }) };
    }
    case 'segment':
      return { expected: check.member };
    case 'latest_event': {
      const { exists, within, attributes } = check;
      return {
        expected: {
          exists,
          ...(within === undefined ? {} : { within }),
          ...(attributes === undefined ? {} : { attributes }),
        },
      };
    }
  }
}

/** Which branch the entry took; null if it took none. */
export function branchTaken(
  { outcome, facts }: TimelineEntry,
  step: Step | undefined,
  withValues: boolean,
): BranchKey | null {
  if (step?.type === 'condition') {
    if (!withValues && readsAddress(step.check)) return null;
    const holds = facts?.['holds'];
    return typeof holds === 'boolean' ? `${holds}` : null;
  }
  if (outcome === 'no branch') return 'none';
  const [, branch] = /^branch (\d+)$/.exec(outcome) ?? [];
  if (branch !== undefined) return branchKeyOf(Number(branch));
  if (step?.type !== 'ab_split') return null;
  const index = step.variants.findIndex(({ name }) => outcome === `variant ${name}`);
  return index === -1 ? null : branchKeyOf(index);
}
