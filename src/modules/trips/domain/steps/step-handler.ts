/** How trips handle one kind of step: what they need for it, how they take it, and how they explain it. */
import type { JsonObject } from '../../../../kernel/json.js';
import type { Check } from '../../../flows/domain/check.js';
import type { Step } from '../../../flows/domain/step.js';
import type { BranchKey } from '../../../flows/domain/steps/branch.js';
import type { Decision, TracedStep } from '../decision.js';
import type { CheckResult } from '../evaluate-check.js';
import type { ExplainedReason } from '../explained-reason.js';
import type { StepOutcome } from '../outcomes.js';
import type { TripPath } from '../trip-path.js';
import type { TimelineEntry } from '../trip-timeline.js';

export interface StepHandler<One> {
  /** Whether every trip stops at the step, so that the steps after it need no data yet. */
  readonly stops: boolean;
  /** Adds the data that the step needs. Absent if it needs none. */
  addNeeds?(step: One, needs: NeedsCollector): void;
  /** Takes the step. @returns the decision, if the trip stops at this step. */
  take(step: One, run: StepRun, path: TripPath): Decision | undefined;
  /**
   * The explanation of the step's decision.
   * @param withValues whether the caller may see contacts.
   */
  reason(step: One, entry: TimelineEntry, withValues: boolean): ExplainedReason;
  /** Adds what the step asked for to the recorded inputs. Absent: nothing. */
  shownFacts?(step: One, entry: TimelineEntry, recorded: JsonObject, withValues: boolean): JsonObject;
  /** Which branch the entry took; null if it took none. Absent: the one that its outcome names by its index. */
  branchTaken?(step: One, entry: TimelineEntry, withValues: boolean): BranchKey | null;
}

/** Collects the data to prefetch. */
export interface NeedsCollector {
  changesContact: boolean;
  add(check: Check): void;
}

/** The advance of a trip, as its steps use it. */
export interface StepRun {
  readonly trip: { readonly id: string };
  readonly now: Date;
  /** Evaluates a check, with what the steps so far have set on the contact. */
  evaluate(check: Check): CheckResult;
  updateContact(set: Readonly<Record<string, unknown>>): void;
  record(
    step: Step,
    outcome: StepOutcome,
    way: TracedStep['way'],
    facts?: JsonObject,
    values?: JsonObject,
  ): undefined;
  fail(reason: 'invalid_step'): Decision;
}
