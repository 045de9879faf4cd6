/**
 * The engine's core: what a trip does next, as a pure function of the trip, its flow's steps, what is known and the
 * moment. It runs all consecutive steps that need nothing from outside, and stops at the first that does.
 * Sections 2.3 and 2.12.
 */
import { parseDuration } from '../../../kernel/duration.js';
import type { SendEmailStep, Step } from '../../flows/domain/step.js';

/** What becomes of a trip. Closed: whoever stores decisions must answer every kind. */
export type Decision =
  /** Park until `resumeAt`, then go on with `step`. */
  | { readonly kind: 'park'; readonly step: number; readonly resumeAt: Date }
  /** Send the message of step `sendStep`, and go on with `step` when its fate is known. */
  | {
      readonly kind: 'send';
      readonly step: number;
      readonly sendStep: number;
      readonly message: SendEmailStep;
    }
  | { readonly kind: 'complete'; readonly step: number; readonly reason: 'finished' }
  /** The trip cannot go on; nothing that a repetition would mend. */
  | {
      readonly kind: 'fail';
      readonly step: number;
      readonly reason: 'definition_missing' | 'contact_missing' | 'invalid_step';
    };

export interface Advance {
  readonly decision: Decision;
  /** What update_contact steps set on the way, in their order. */
  readonly contactUpdates: readonly Readonly<Record<string, unknown>>[];
}

/** What the core must know of the world. */
export interface Facts {
  /** Undefined when the flow's version is gone. */
  readonly steps: readonly Step[] | undefined;
  /** Whether the contact's row exists; a deleted contact's does. */
  readonly contactExists: boolean;
}

/**
 * Takes a trip from `step` to the next point where it must wait for time, for a message's fate, or is over.
 * @param step index of the step that comes next.
 * @param now the product's present; waits count from it.
 */
export function advance(step: number, facts: Facts, now: Date): Advance {
  const contactUpdates: Readonly<Record<string, unknown>>[] = [];
  const decided = (decision: Decision): Advance => ({ decision, contactUpdates });
  if (!facts.steps) return decided({ kind: 'fail', step, reason: 'definition_missing' });
  if (!facts.contactExists) return decided({ kind: 'fail', step, reason: 'contact_missing' });

  for (let index = step; ; index++) {
    const current = facts.steps[index];
    if (!current) return decided({ kind: 'complete', step: index, reason: 'finished' });
    switch (current.type) {
      case 'update_contact':
        contactUpdates.push(current.set);
        break;
      case 'wait': {
        const duration = parseDuration(current.duration);
        if (duration === undefined) return decided({ kind: 'fail', step: index, reason: 'invalid_step' });
        return decided({ kind: 'park', step: index + 1, resumeAt: new Date(now.getTime() + duration) });
      }
      case 'send_email':
        return decided({ kind: 'send', step: index + 1, sendStep: index, message: current });
    }
  }
}
