/** Warnings about steps that may not be what the author intended. They do not prevent the activation of a flow. */
import type { Spelling } from '../../../kernel/letter-case.js';
import type { Flow } from './flow.js';
import { stepsWithPaths } from './step-tree.js';

const MAX_WARNINGS = 100;

export const STEP_WARNING_CODES = ['unsubscribed_not_reached'] as const;

export interface StepWarning {
  readonly code: (typeof STEP_WARNING_CODES)[number];
  readonly templateSlug: string;
  /** Such as `steps[2].branches[0].steps[1]`. */
  readonly path: string;
  readonly message: string;
}

/** The send steps of a transactional flow that skip contacts who have unsubscribed. */
export function stepWarnings(
  { contentType, steps }: Pick<Flow, 'contentType' | 'steps'>,
  spell: Spelling,
): StepWarning[] {
  if (contentType !== 'transactional') return [];
  const setting = `${spell('emailSendSettings')}.${spell('sendToUnsubscribed')}`;
  return stepsWithPaths(steps)
    .flatMap(({ step, path }): StepWarning[] => {
      if (step.type !== 'send_email' || step.emailSendSettings?.sendToUnsubscribed === true) return [];
      const message =
        `${path} sends nothing to contacts who have unsubscribed, although the flow is transactional: set ` +
        `${setting} to true if they need this message.`;
      return [{ code: 'unsubscribed_not_reached', templateSlug: step.templateSlug, path, message }];
    })
    .slice(0, MAX_WARNINGS);
}
