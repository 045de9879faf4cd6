/** The send settings of a flow's steps, section 2.3, without the content that they send. */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { stepsWithPaths } from './step-tree.js';
import type { Step } from './step.js';

/** Send steps by id; null if a step has no send settings. */
export type SendSteps = ReadonlyMap<number, Partial<EmailSendSettings> | null>;

export function sendStepsOf(steps: readonly Step[]): SendSteps {
  const rules = new Map<number, Partial<EmailSendSettings> | null>();
  for (const { step } of stepsWithPaths(steps))
    if (step.type === 'send_email') rules.set(step.id, step.emailSendSettings ?? null);
  return rules;
}
