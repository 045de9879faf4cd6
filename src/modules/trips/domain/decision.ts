/** What the engine decides about a trip, and what it records of each step. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Step } from '../../flows/domain/step.js';
import type { BranchKey } from '../../flows/domain/steps/branch.js';
import type { SendEmailStep } from '../../flows/domain/steps/send-email.js';
import type { StepOutcome } from './outcomes.js';
import type { PathEnd } from './trip-path.js';

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
      readonly reason: FailureReason;
    };

export type FailureReason = 'definition_missing' | 'contact_missing' | 'invalid_step';

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
