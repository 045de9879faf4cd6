/**
 * Whether a message that failed may be asked for again under a new message: only where the earlier one certainly never
 * left. One that may have left goes once more under its own Message-ID, and only where somebody asks for that.
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

/** Repetitions of one message. */
export const MOST_REPETITIONS = 20;

/** @param repetitions those that there are already. */
export function repetitionRefusal(
  message: Repeatable,
  repetitions: readonly Repeatable[],
): RepetitionRefusal | undefined {
  for (const one of [message, ...repetitions]) {
    const refusal = refusalOf(one);
    if (refusal) return refusal;
  }
  return repetitions.length < MOST_REPETITIONS ? undefined : 'too_many_repetitions';
}

function refusalOf({ status, reissues }: Repeatable): RepetitionRefusal | undefined {
  if (status === 'queued' || status === 'sending') return 'message_on_its_way';
  if (status === 'sent') return 'message_was_sent';
  // What was queued again without its fate being known may have left before it failed.
  if (status === 'unknown' || (status === 'failed' && reissues > 0)) return 'message_may_have_left';
  return status === 'failed' ? undefined : 'message_not_failed';
}
