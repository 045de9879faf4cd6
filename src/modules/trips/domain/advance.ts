/**
 * The engine's core: what a trip does next, as a pure function of where it stands, its flow's steps, what is known and
 * the moment. It takes all consecutive steps that need nothing from outside, through conditions and splits, and stops
 * at the first that does. Sections 2.3 and 2.12.
 */
import { parseDuration } from '../../../kernel/duration.js';
import type { JsonObject } from '../../../kernel/json.js';
import { growContact } from '../../contacts/domain/contact-growth.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { Check } from '../../flows/domain/check.js';
import type { SendEmailStep, Step } from '../../flows/domain/step.js';
import { listsWithin } from '../../flows/domain/step-tree.js';
import { wayOfIndex, type WayKey } from '../../flows/domain/step-ways.js';
import { answer, type Answer, type CheckFacts } from './check-holds.js';
import { contactAssignments } from './contact-assignments.js';
import { Course, type CourseEnd } from './course.js';
import type { StepOutcome } from './outcomes.js';
import { drawOf, variantAt } from './variant.js';

/** What becomes of a trip. `lastStep` is where it stands then. Closed: whoever stores decisions must answer every kind. */
export type Decision =
  /** Park until `resumeAt`, then go on behind the wait. */
  | { readonly kind: 'park'; readonly lastStep: number; readonly resumeAt: Date }
  /** Send the message of the step, and go on behind it when its fate is known. */
  | { readonly kind: 'send'; readonly lastStep: number; readonly message: SendEmailStep }
  | { readonly kind: 'complete'; readonly lastStep: number; readonly reason: CourseEnd }
  /** Whom it is about is gone. Mostly the trip was ended when that happened; this is for whoever came in between. */
  | { readonly kind: 'terminate'; readonly lastStep: number; readonly reason: 'contact_deleted' }
  /** The trip cannot go on; nothing that a repetition would mend. It stands before the step that it could not take. */
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
  /** Which of its ways was taken; empty where there is one. */
  readonly way: WayKey | '';
  /** The facts that decided, which tell nothing of a person; absent where none did. */
  readonly facts: JsonObject | undefined;
  /** The values of the contact and of events that decided; absent where none did. */
  readonly values: JsonObject | undefined;
}

export interface Advance {
  readonly decision: Decision;
  /** What update_contact steps set on the way, in their order. */
  readonly contactUpdates: readonly Readonly<Record<string, unknown>>[];
  /** The contact with them; as it was given where there are none. */
  readonly contact: Contact | undefined;
  /** The steps that were taken, in their order. A flow has no loop, so there are no more than it has steps. */
  readonly trace: readonly TracedStep[];
}

/** What the core must know of the world. */
export interface Facts extends CheckFacts {
  /** Undefined when the flow's version is gone. */
  readonly steps: readonly Step[] | undefined;
  /** Whether the contact's row exists, and is not a deleted one's. */
  readonly contactStanding: 'present' | 'deleted' | 'missing';
}

/** Which trip, and the step that it took last. */
export interface Standing {
  readonly id: string;
  readonly lastStep: number;
}

/**
 * Takes a trip to the next point where it must wait for time, for a message's fate, or is over.
 * @param now the product's present; waits count from it.
 */
export function advance(trip: Standing, facts: Facts, now: Date): Advance {
  return new Run(trip, facts, now).run();
}

class Run {
  private readonly updates: Readonly<Record<string, unknown>>[] = [];
  private readonly trace: TracedStep[] = [];
  private contact: Contact | undefined;
  private lastStep: number;

  constructor(
    private readonly trip: Standing,
    private readonly facts: Facts,
    private readonly now: Date,
  ) {
    this.contact = facts.contact;
    this.lastStep = trip.lastStep;
  }

  run(): Advance {
    const decision = this.decision();
    return { decision, contactUpdates: this.updates, contact: this.contact, trace: this.trace };
  }

  private decision(): Decision {
    const { steps, contactStanding } = this.facts;
    if (!steps) return this.failed('definition_missing');
    if (contactStanding === 'missing') return this.failed('contact_missing');
    if (contactStanding === 'deleted')
      return { kind: 'terminate', lastStep: this.lastStep, reason: 'contact_deleted' };
    try {
      const course = Course.after(steps, this.lastStep);
      if (course) return this.follow(course);
    } catch {
      // Steps that another hand or another release has stored: what they hold may be anything.
    }
    return this.failed('invalid_step');
  }

  private follow(course: Course): Decision {
    for (;;) {
      const step = course.next();
      if (step === undefined) return { kind: 'complete', lastStep: this.lastStep, reason: course.end };
      const decision = this.take(step, course);
      this.lastStep = step.id;
      if (decision) return decision;
    }
  }

  /** Takes one step. @returns the decision, where the trip stops at it. */
  private take(step: Step, course: Course): Decision | undefined {
    switch (step.type) {
      case 'update_contact':
        this.update(step.set);
        return this.note(step, 'updated', '');
      case 'wait': {
        const duration = parseDuration(step.duration);
        if (duration === undefined) return this.failed('invalid_step');
        const resumeAt = new Date(this.now.getTime() + duration);
        this.note(step, 'parked', '', { resume_at: resumeAt.toISOString() });
        return { kind: 'park', lastStep: step.id, resumeAt };
      }
      case 'send_email':
        this.note(step, 'sent', '');
        return { kind: 'send', lastStep: step.id, message: step };
      case 'condition': {
        const { holds, facts, values } = this.answer(step.check);
        const directive = (holds ? step.onTrue : step.onFalse) ?? 'continue';
        this.note(step, directive, holds ? 'true' : 'false', { holds, ...facts }, values);
        if (directive === 'skip_to_end') course.skipToEnd();
        return undefined;
      }
      case 'conditional_split':
        return this.split(step, course);
      case 'ab_split': {
        const drawn = drawOf(this.trip.id, step.id);
        const index = variantAt(step.variants, drawn);
        const list = listsWithin<Step>(step)[index];
        if (!list) return this.failed('invalid_step');
        course.enter(list);
        return this.note(step, `variant ${step.variants[index]?.name}`, wayOfIndex(index), { drawn });
      }
      default:
        step satisfies never;
        return this.failed('invalid_step');
    }
  }

  /** Takes the first branch whose check holds, or the one that has none. Of what was asked the last, which decided, comes first. */
  private split(step: Extract<Step, { type: 'conditional_split' }>, course: Course): Decision | undefined {
    const lists = listsWithin<Step>(step);
    const asked: JsonObject[] = [];
    const values: JsonObject[] = [];
    for (const [branch, { check }] of step.branches.entries()) {
      const answered = check ? this.answer(check) : undefined;
      if (answered) asked.unshift({ branch, holds: answered.holds, ...answered.facts });
      if (answered?.values) values.unshift({ branch, ...answered.values });
      if (answered && !answered.holds) continue;
      const list = lists[branch];
      if (!list) return this.failed('invalid_step');
      course.enter(list);
      return this.note(step, `branch ${branch}`, wayOfIndex(branch), ...seenOf(asked, values));
    }
    return this.note(step, 'no branch', 'none', ...seenOf(asked, values));
  }

  private update(set: Readonly<Record<string, unknown>>): void {
    this.updates.push(set);
    if (this.contact) this.contact = growContact(this.contact, [contactAssignments(set)], this.now).contact;
  }

  /** The facts with what the steps so far have set on the contact. */
  private answer(check: Check): Answer {
    const { latestEvents, isMember, triggerAttributes } = this.facts;
    return answer(check, { contact: this.contact, latestEvents, isMember, triggerAttributes }, this.now);
  }

  private note(
    step: Step,
    outcome: StepOutcome,
    way: TracedStep['way'],
    facts?: JsonObject,
    values?: JsonObject,
  ): undefined {
    // Of one shape, and spread from nothing: there are several for every trip.
    this.trace.push({ stepId: step.id, type: step.type, outcome, way, facts, values });
  }

  private failed(reason: 'definition_missing' | 'contact_missing' | 'invalid_step'): Decision {
    return { kind: 'fail', lastStep: this.lastStep, reason };
  }
}

/** What a split has asked, and the values that it saw, if any. */
function seenOf(asked: readonly JsonObject[], values: readonly JsonObject[]): [JsonObject, JsonObject?] {
  return values.length > 0 ? [{ asked }, { asked: values }] : [{ asked }];
}
