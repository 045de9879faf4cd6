/**
 * Whether a message can be sent again on request, section 4.10: yes for any outcome, because the caller has a reason.
 * Exceptions are a message that is still being sent, and too many repetitions of one message.
 */
import type { EmailLog } from './email-log.js';
import { isSettled } from './email-log-transitions.js';
import { MAX_REPETITIONS } from './repetition.js';

/**
 * Why a message cannot be sent again, as a message for the caller; undefined if it can.
 * @param others messages that repeat this one, or repeat the same message as this one.
 */
export function resendRefusal(
  { status }: Pick<EmailLog, 'status'>,
  others: readonly Pick<EmailLog, 'status'>[],
): string | undefined {
  if (!isSettled(status)) return `The message is ${status}: its first attempt is not finished.`;
  if (others.some((other) => !isSettled(other.status))) return 'The message is already being resent.';
  return others.length < MAX_REPETITIONS
    ? undefined
    : `The message was already resent ${MAX_REPETITIONS} times.`;
}
