/**
 * The engine's core: what a trip does next, as a pure function of the last step it took, its flow's steps, the known
 * data and the time. It takes all consecutive steps that need nothing from outside, through conditions and splits, and
 * stops at the first that does. Sections 2.3 and 2.12.
 */
import type { JsonObject } from '../../../kernel/json.js';
import { mergeWithinLimits } from '../../contacts/domain/limited-merge.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { Check } from '../../flows/domain/check.js';
import type { Step } from '../../flows/domain/step.js';
import { evaluateCheck, type CheckResult, type StepCheckInputs } from './evaluate-check.js';
import { contactAssignments } from './contact-assignments.js';
import type { Decision, FailureReason, TracedStep } from './decision.js';
import { stepHandlerOf } from './steps/step-handlers.js';
import type { StepRun } from './steps/step-handler.js';
import { TripPath } from './trip-path.js';
import type { StepOutcome } from './outcomes.js';

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

class AdvanceRun implements StepRun {
  private readonly updates: Readonly<Record<string, unknown>>[] = [];
  private readonly trace: TracedStep[] = [];
  private contact: Contact | undefined;
  private lastStep: number;

  constructor(
    readonly trip: TripPosition,
    private readonly inputs: DecisionInputs,
    readonly now: Date,
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
      const handler = stepHandlerOf(step);
      const decision = handler ? handler.take(step, this, path) : this.fail('invalid_step');
      this.lastStep = step.id;
      if (decision) return decision;
    }
  }

  updateContact(set: Readonly<Record<string, unknown>>): void {
    this.updates.push(set);
    if (this.contact)
      this.contact = mergeWithinLimits(this.contact, [contactAssignments(set)], this.now).contact;
  }

  /** Evaluates a check, with what the steps so far have set on the contact. */
  evaluate(check: Check): CheckResult {
    const { latestEvents, isMember, triggerAttributes } = this.inputs;
    return evaluateCheck(
      check,
      { contact: this.contact, latestEvents, isMember, triggerAttributes },
      this.now,
    );
  }

  record(
    step: Step,
    outcome: StepOutcome,
    way: TracedStep['way'],
    facts?: JsonObject,
    values?: JsonObject,
  ): undefined {
    // Always the same shape, and without spread, since every trip creates several of these.
    this.trace.push({ stepId: step.id, type: step.type, outcome, way, facts, values });
  }

  fail(reason: FailureReason): Decision {
    return { kind: 'fail', lastStep: this.lastStep, reason };
  }
}
