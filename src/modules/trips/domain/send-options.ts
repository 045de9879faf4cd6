/** What a send_email step requests from delivery, section 2.3. */
import type { SendOptions } from '../../delivery/domain/email-log.js';
import type { SendEmailStep } from '../../flows/domain/steps/send-email.js';

export function sendOptionsOf({ subject, emailSendSettings }: SendEmailStep): SendOptions {
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(emailSendSettings ? { emailSendSettings } : {}),
  };
}
