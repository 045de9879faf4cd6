/** What the steps of a flow say of how their messages are to be sent, section 2.3, without what they send. */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { placedSteps } from './step-tree.js';
import type { Step } from './step.js';

/** Steps that send, by their ids; null where a step says nothing of sending. */
export type SendSteps = ReadonlyMap<number, Partial<EmailSendSettings> | null>;

export function sendStepsOf(steps: readonly Step[]): SendSteps {
  const rules = new Map<number, Partial<EmailSendSettings> | null>();
  for (const { step } of placedSteps(steps))
    if (step.type === 'send_email') rules.set(step.id, step.emailSendSettings ?? null);
  return rules;
}
