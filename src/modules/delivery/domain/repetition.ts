/**
 * Whether a failed message can be requested again as a new message: only if the earlier one certainly never left. A
 * message that may have left can only be sent again under its own Message-ID, when a person requests it.
 */
import type { EmailLog } from './email-log.js';

export const REPETITION_REFUSALS = [
  'message_on_its_way',
  'message_was_sent',
  'message_may_have_left',
  'message_not_failed',
  'too_many_repetitions',
] as const;
export type RepetitionRefusal = (typeof REPETITION_REFUSALS)[number];

export type Repeatable = Pick<EmailLog, 'status' | 'reissues'>;

/** Maximum repetitions of one message. */
export const MAX_REPETITIONS = 20;

/** @param repetitions the existing repetitions. */
export function repetitionRefusal(
  message: Repeatable,
  repetitions: readonly Repeatable[],
): RepetitionRefusal | undefined {
  for (const one of [message, ...repetitions]) {
    const refusal = refusalOf(one);
    if (refusal) return refusal;
  }
  return repetitions.length < MAX_REPETITIONS ? undefined : 'too_many_repetitions';
}

function refusalOf({ status, reissues }: Repeatable): RepetitionRefusal | undefined {
  if (status === 'queued' || status === 'sending') return 'message_on_its_way';
  if (status === 'sent') return 'message_was_sent';
  // A message that was requeued with an unknown outcome may have left before it failed.
  if (status === 'unknown' || (status === 'failed' && reissues > 0)) return 'message_may_have_left';
  return status === 'failed' ? undefined : 'message_not_failed';
}
