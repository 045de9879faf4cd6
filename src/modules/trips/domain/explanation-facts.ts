/**
 * What a decision was based on: the recorded inputs from the trail, and what the flow asked for, from its version.
 */
import type { JsonObject } from '../../../kernel/json.js';
import type { Step } from '../../flows/domain/step.js';
import type { BranchKey } from '../../flows/domain/steps/branch.js';
import { withExpectations, withoutResult } from './explained-check.js';
import { branchOfOutcome } from './outcomes.js';
import { stepHandlerOf } from './steps/step-handlers.js';
import type { TimelineEntry } from './trip-timeline.js';

/** Values of a contact, and results of checks of an address, are only shown to callers who may read contacts. */
export function shownFacts(entry: TimelineEntry, step: Step | undefined, withValues: boolean): JsonObject {
  const { facts = {}, values } = entry;
  const recorded = withValues ? { ...facts, ...(values ? { values } : {}) } : withoutResult(facts);
  const shown = step && stepHandlerOf(step)?.shownFacts?.(step, entry, recorded, withValues);
  return shown ?? withExpectations(recorded, [], withValues);
}

/** Which branch the entry took; null if it took none. */
export function branchTaken(
  entry: TimelineEntry,
  step: Step | undefined,
  withValues: boolean,
): BranchKey | null {
  const handler = step && stepHandlerOf(step);
  if (step && handler?.branchTaken) return handler.branchTaken(step, entry, withValues);
  return branchOfOutcome(entry.outcome);
}
