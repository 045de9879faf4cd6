/** Sends a message, and continues when its outcome is known. */
import type { EmailSendSettings } from '../../../../kernel/email-settings.js';
import type { StepKind } from './step-kind.js';

export interface SendEmailStep {
  readonly type: 'send_email';
  readonly templateSlug: string;
  readonly subject?: string;
  readonly emailSendSettings?: Partial<EmailSendSettings>;
}

export const sendEmail: StepKind<SendEmailStep> = {
  title: 'Send email',
  colour: '#1d4ed8',
  detail: ({ templateSlug }) => templateSlug,
  records: ['emailSendSettings'],
};
