/**
 * The engine's core: what a trip does next, as a pure function of the last step it took, its flow's steps, the known
 * data and the time. It takes all consecutive steps that need nothing from outside, through conditions and splits, and
 * stops at the first that does. Sections 2.3 and 2.12.
 */
import { parseDuration } from '../../../kernel/duration.js';
import type { JsonObject } from '../../../kernel/json.js';
import { mergeWithinLimits } from '../../contacts/domain/limited-merge.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { Check } from '../../flows/domain/check.js';
import type { SendEmailStep, Step } from '../../flows/domain/step.js';
import { listsWithin } from '../../flows/domain/step-tree.js';
import { branchKeyOf, type BranchKey } from '../../flows/domain/step-branches.js';
import { evaluateCheck, type CheckResult, type StepCheckInputs } from './evaluate-check.js';
import { contactAssignments } from './contact-assignments.js';
import { TripPath, type PathEnd } from './trip-path.js';
import type { StepOutcome } from './outcomes.js';
import { drawOf, variantAt } from './variant.js';

/**
 * What happens to a trip. `lastStep` is its position afterwards. The union is closed: code that stores decisions must
 * handle every kind.
 */
export type Decision =
  /** Park until `resumeAt`, then continue after the wait. */
  | { readonly kind: 'park'; readonly lastStep: number; readonly resumeAt: Date }
  /** Send the step's message, and continue after it when its outcome is known. */
  | { readonly kind: 'send'; readonly lastStep: number; readonly message: SendEmailStep }
  | { readonly kind: 'complete'; readonly lastStep: number; readonly reason: PathEnd }
  /**
   * The contact is gone. Usually its deletion has already ended the trip; this handles trips that were being
   * processed at that time.
   */
  | { readonly kind: 'terminate'; readonly lastStep: number; readonly reason: 'contact_deleted' }
  /** The trip cannot continue, and a retry would not help. Its position is before the step that failed. */
  | {
      readonly kind: 'fail';
      readonly lastStep: number;
      readonly reason: 'definition_missing' | 'contact_missing' | 'invalid_step';
    };

/** What was decided at a step, and why. */
export interface TracedStep {
  readonly stepId: number;
  readonly type: Step['type'];
  readonly outcome: StepOutcome;
  /** Which branch was taken; empty for a step with only one way to continue. */
  readonly way: BranchKey | '';
  /** The facts that decided, without personal data; absent if none did. */
  readonly facts: JsonObject | undefined;
  /** The values of the contact and of events that decided; absent if none did. */
  readonly values: JsonObject | undefined;
}

export interface AdvanceResult {
  readonly decision: Decision;
  /** What update_contact steps set during this advance, in order. */
  readonly contactUpdates: readonly Readonly<Record<string, unknown>>[];
  /** The contact with these updates; the given contact if there are none. */
  readonly contact: Contact | undefined;
  /** The steps that were taken, in order. A flow has no loop, so there are at most as many as the flow has steps. */
  readonly trace: readonly TracedStep[];
}

/** The inputs of the core. */
export interface DecisionInputs extends StepCheckInputs {
  /** Undefined if the flow's version is gone. */
  readonly steps: readonly Step[] | undefined;
  /** Whether the contact's row exists, and whether the contact is deleted. */
  readonly contactStatus: 'present' | 'deleted' | 'missing';
}

/** Identifies a trip and the last step that it took. */
export interface TripPosition {
  readonly id: string;
  readonly lastStep: number;
}

/**
 * Advances a trip until it must wait for time or for a message's outcome, or until it is over.
 * @param now the product's current time; waits count from it.
 */
export function advance(trip: TripPosition, inputs: DecisionInputs, now: Date): AdvanceResult {
  return new AdvanceRun(trip, inputs, now).run();
}

class AdvanceRun {
  private readonly updates: Readonly<Record<string, unknown>>[] = [];
  private readonly trace: TracedStep[] = [];
  private contact: Contact | undefined;
  private lastStep: number;

  constructor(
    private readonly trip: TripPosition,
    private readonly inputs: DecisionInputs,
    private readonly now: Date,
  ) {
    this.contact = inputs.contact;
    this.lastStep = trip.lastStep;
  }

  run(): AdvanceResult {
    const decision = this.decide();
    return { decision, contactUpdates: this.updates, contact: this.contact, trace: this.trace };
  }

  private decide(): Decision {
    const { steps, contactStatus } = this.inputs;
    if (!steps) return this.fail('definition_missing');
    if (contactStatus === 'missing') return this.fail('contact_missing');
    if (contactStatus === 'deleted')
      return { kind: 'terminate', lastStep: this.lastStep, reason: 'contact_deleted' };
    try {
      const path = TripPath.after(steps, this.lastStep);
      if (path) return this.walk(path);
    } catch {
      // Steps that were stored by other means or by another release may contain anything.
    }
    return this.fail('invalid_step');
  }

  private walk(path: TripPath): Decision {
    for (;;) {
      const step = path.next();
      if (step === undefined) return { kind: 'complete', lastStep: this.lastStep, reason: path.end };
      const decision = this.runStep(step, path);
      this.lastStep = step.id;
      if (decision) return decision;
    }
  }

  /** Takes one step. @returns the decision, if the trip stops at this step. */
  private runStep(step: Step, path: TripPath): Decision | undefined {
    switch (step.type) {
      case 'update_contact':
        this.update(step.set);
        return this.recordStep(step, 'updated', '');
      case 'wait': {
        const duration = parseDuration(step.duration);
        if (duration === undefined) return this.fail('invalid_step');
        const resumeAt = new Date(this.now.getTime() + duration);
        this.recordStep(step, 'parked', '', { resume_at: resumeAt.toISOString() });
        return { kind: 'park', lastStep: step.id, resumeAt };
      }
      case 'send_email':
        this.recordStep(step, 'sent', '');
        return { kind: 'send', lastStep: step.id, message: step };
      case 'condition': {
        const { holds, facts, values } = this.evaluate(step.check);
        const directive = (holds ? step.onTrue : step.onFalse) ?? 'continue';
        this.recordStep(step, directive, holds ? 'true' : 'false', { holds, ...facts }, values);
        if (directive === 'skip_to_end') path.skipToEnd();
        return undefined;
      }
      case 'conditional_split':
        return this.split(step, path);
      case 'ab_split': {
        const drawn = drawOf(this.trip.id, step.id);
        const index = variantAt(step.variants, drawn);
        const list = listsWithin<Step>(step)[index];
        if (!list) return this.fail('invalid_step');
        path.enter(list);
        return this.recordStep(step, `variant ${step.variants[index]?.name}`, branchKeyOf(index), { drawn });
      }
      default:
        step satisfies never;
        return this.fail('invalid_step');
    }
  }

  /**
   * Takes the first branch whose check holds, or the one that has no check. The last check evaluated, which decided,
   * comes first in the facts.
   */
  private split(step: Extract<Step, { type: 'conditional_split' }>, path: TripPath): Decision | undefined {
    const lists = listsWithin<Step>(step);
    const asked: JsonObject[] = [];
    const values: JsonObject[] = [];
    for (const [branch, { check }] of step.branches.entries()) {
      const result = check ? this.evaluate(check) : undefined;
      if (result) asked.unshift({ branch, holds: result.holds, ...result.facts });
      if (result?.values) values.unshift({ branch, ...result.values });
      if (result && !result.holds) continue;
      const list = lists[branch];
      if (!list) return this.fail('invalid_step');
      path.enter(list);
      return this.recordStep(step, `branch ${branch}`, branchKeyOf(branch), ...splitInputs(asked, values));
    }
    return this.recordStep(step, 'no branch', 'none', ...splitInputs(asked, values));
  }

  private update(set: Readonly<Record<string, unknown>>): void {
    this.updates.push(set);
    if (this.contact)
      this.contact = mergeWithinLimits(this.contact, [contactAssignments(set)], this.now).contact;
  }

  /** Evaluates a check, with what the steps so far have set on the contact. */
  private evaluate(check: Check): CheckResult {
    const { latestEvents, isMember, triggerAttributes } = this.inputs;
    return evaluateCheck(
      check,
      { contact: this.contact, latestEvents, isMember, triggerAttributes },
      this.now,
    );
  }

  private recordStep(
    step: Step,
    outcome: StepOutcome,
    way: TracedStep['way'],
    facts?: JsonObject,
    values?: JsonObject,
  ): undefined {
    // Always the same shape, and without spread, since every trip creates several of these.
    this.trace.push({ stepId: step.id, type: step.type, outcome, way, facts, values });
  }

  private fail(reason: 'definition_missing' | 'contact_missing' | 'invalid_step'): Decision {
    return { kind: 'fail', lastStep: this.lastStep, reason };
  }
}

/** The checks that a split evaluated, and the values that they read, if any. */
function splitInputs(asked: readonly JsonObject[], values: readonly JsonObject[]): [JsonObject, JsonObject?] {
  return values.length > 0 ? [{ asked }, { asked: values }] : [{ asked }];
}
