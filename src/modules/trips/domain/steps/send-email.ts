/** A step of a trip that sends an email. */
import type { StepOf } from '../../../flows/domain/step.js';
import type { StepHandler } from './step-handler.js';

export const sendEmail: StepHandler<StepOf<'send_email'>> = {
  stops: true,
  take(step, run) {
    run.record(step, 'sent', '');
    return { kind: 'send', lastStep: step.id, message: step };
  },
  reason: ({ templateSlug }) => ({
    reason: 'message_asked_for',
    detail: `Sends the email “${templateSlug}”.`,
  }),
};
