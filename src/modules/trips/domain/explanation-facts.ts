/**
 * What a decision was based on: the recorded inputs from the trail, and what the flow asked for, from its version.
 */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { asksAddress } from '../../flows/domain/address-checks.js';
import type { Check } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { wayOfIndex, type WayKey } from '../../flows/domain/step-ways.js';
import { namesAddress } from '../../segments/domain/filter-needs.js';
import type { StoryEntry } from './explanation-story.js';

/** Values of a contact, and results of checks of an address, are only shown to callers who may read contacts. */
export function shownFacts(
  { outcome, facts = {}, values }: StoryEntry,
  step: Step | undefined,
  withValues: boolean,
): JsonObject {
  const seen = withValues ? { ...facts, ...(values ? { values } : {}) } : withoutAnswer(facts);
  if (step?.type === 'condition') return { ...seen, ...askedBy(step.check, withValues) };
  if (step?.type === 'update_contact' && outcome === 'updated') return { ...seen, set: step.set };
  const { asked } = facts;
  if (!Array.isArray(asked)) return seen;
  const branches = step?.type === 'conditional_split' ? step.branches : [];
  return {
    ...seen,
    asked: asked.map((one: unknown) => {
      if (!isJsonObject(one)) return one;
      const check = branches[Number(one['branch'])]?.check;
      return { ...(withValues ? one : withoutAnswer(one)), ...(check && askedBy(check, withValues)) };
    }),
  };
}

/** The inputs of a check. Leaves out whether it holds if that would reveal an address. */
function withoutAnswer(facts: JsonObject): JsonObject {
  const { holds, ...rest } = facts;
  const { field } = facts;
  return holds === undefined || (typeof field === 'string' && namesAddress(field)) ? rest : facts;
}

/** What a check compares with: its operator, and the expected value. */
function askedBy(check: Check, withValues: boolean): JsonObject {
  if (!withValues && asksAddress(check)) return {};
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
export function wayTaken(
  { outcome, facts }: StoryEntry,
  step: Step | undefined,
  withValues: boolean,
): WayKey | null {
  if (step?.type === 'condition') {
    if (!withValues && asksAddress(step.check)) return null;
    const holds = facts?.['holds'];
    return typeof holds === 'boolean' ? `${holds}` : null;
  }
  if (outcome === 'no branch') return 'none';
  const [, branch] = /^branch (\d+)$/.exec(outcome) ?? [];
  if (branch !== undefined) return wayOfIndex(Number(branch));
  if (step?.type !== 'ab_split') return null;
  const index = step.variants.findIndex(({ name }) => outcome === `variant ${name}`);
  return index === -1 ? null : wayOfIndex(index);
}
