/** The steps of a flow, section 2.3: a closed union, so that a new kind of step is an error until it is handled. */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';

export interface SendEmailStep {
  readonly type: 'send_email';
  readonly templateSlug: string;
  readonly subject?: string;
  readonly emailSendSettings?: Partial<EmailSendSettings>;
}

export interface WaitStep {
  readonly type: 'wait';
  /** An integer and a unit letter, as kernel/duration reads it. */
  readonly duration: string;
}

export interface UpdateContactStep {
  readonly type: 'update_contact';
  readonly set: Readonly<Record<string, unknown>>;
}

export type Step = SendEmailStep | WaitStep | UpdateContactStep;
