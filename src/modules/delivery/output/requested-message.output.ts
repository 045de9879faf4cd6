/** A requested message in REST, section 4.10: the results of a direct send and of a resend. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import type { RequestedMessage } from '../domain/direct-send.js';

const STATUSES = ['queued', 'suppressed'] as const satisfies RequestedMessage['status'][];

@Output({ rest: 'DirectSendResponse' })
export class DirectSendOutput {
  @Out('ID') emailLogId: string;
  @Out(oneOf(STATUSES), { example: 'queued' }) status: string;
  @Out('String', {
    optional: true,
    example: 'unsubscribed',
    description: 'Set if the message is suppressed.',
  })
  suppressedReason?: string;
}

export function directSendOutput({ suppressedReason, ...message }: RequestedMessage): DirectSendOutput {
  return { ...message, ...(suppressedReason === null ? {} : { suppressedReason }) };
}

@Output({ rest: 'ResendResponse' })
export class ResendOutput {
  @Out('Boolean', { description: 'False if the message is suppressed.' }) success: boolean;
  @Out('ID', {
    description: 'ID of the new message, or of the same message if its outcome was unknown.',
  })
  emailLogId: string;
  @Out(oneOf(STATUSES), { example: 'queued' }) status: string;
}
