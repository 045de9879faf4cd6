/** A spam filter of the operator that judges whole messages. */
import type { SpamdVerdict } from '../domain/spam/spamd-answer.js';

export abstract class SpamFilter {
  /**
   * Judges a message.
   * @param message as it would be sent, at most MAX_FILTERED_BYTES bytes.
   * @throws SpamFilterFailure when there is no verdict; the signal's reason when it is aborted.
   */
  abstract judge(message: Buffer, signal: AbortSignal): Promise<SpamdVerdict>;
}

/** Maximum number of bytes of a message that a filter receives: the limit of its own client. */
export const MAX_FILTERED_BYTES = 500 * 1_024;

/** Why there is no verdict, in a sentence for members of the workspace: it names no host. */
export class SpamFilterFailure extends Error {
  override readonly name = 'SpamFilterFailure';
}
