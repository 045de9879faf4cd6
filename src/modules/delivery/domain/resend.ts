/**
 * Whether a message may be sent once more because somebody asks for it, section 4.10, whatever became of it: whoever asks
 * knows why. Only what is on its way already is not asked for twice, nor one message more often than anybody needs it.
 */
import type { EmailLog } from './email-log.js';
import { isSettled } from './email-log-transitions.js';
import { MOST_REPETITIONS } from './repetition.js';

/**
 * What keeps a message from being sent once more, as words for whoever asks; undefined when nothing does.
 * @param others those that repeat it, or the same message as it does.
 */
export function resendRefusal(
  { status }: Pick<EmailLog, 'status'>,
  others: readonly Pick<EmailLog, 'status'>[],
): string | undefined {
  if (!isSettled(status)) return `The message is ${status}: its first attempt is not finished.`;
  if (others.some((other) => !isSettled(other.status))) return 'The message is already being resent.';
  return others.length < MOST_REPETITIONS
    ? undefined
    : `The message was already resent ${MOST_REPETITIONS} times.`;
}
