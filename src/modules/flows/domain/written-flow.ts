/**
 * Steps and settings of a flow as they are written, section 2.3: under the names of REST, which are also those of the
 * stored rows. What a step sets on a contact is the author's own and stays as it is.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { FlowSettings } from './flow.js';
import type { SendEmailStep, Step, UpdateContactStep, WaitStep } from './step.js';

export type WrittenSendSettings = Partial<SnakeKeys<EmailSendSettings>>;
export type WrittenSettings = SnakeKeys<FlowSettings>;

interface WrittenSendEmailStep extends SnakeKeys<Omit<SendEmailStep, 'emailSendSettings'>> {
  readonly email_send_settings?: WrittenSendSettings;
}

export type WrittenStep = WrittenSendEmailStep | WaitStep | UpdateContactStep;

export function writtenStep(step: Step): WrittenStep {
  if (step.type !== 'send_email') return step;
  const { emailSendSettings: settings, ...rest } = step;
  return { ...snakeKeys(rest), ...(settings ? { email_send_settings: snakeKeys(settings) } : {}) };
}

/** The step that was written so. */
export function stepOf(written: WrittenStep): Step {
  if (written.type !== 'send_email') return written;
  const { email_send_settings: settings, ...rest } = written;
  return { ...camelKeys(rest), ...(settings ? { emailSendSettings: camelKeys(settings) } : {}) };
}

export function writtenSettings(settings: FlowSettings): WrittenSettings {
  return snakeKeys(settings);
}

/** The settings that were written so. */
export function settingsOf(written: WrittenSettings): FlowSettings {
  return camelKeys(written);
}
