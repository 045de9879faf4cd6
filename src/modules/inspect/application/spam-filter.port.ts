/** A spam filter of the operator's that judges whole messages. */
import type { SpamdVerdict } from '../domain/spam/spamd-answer.js';

export abstract class SpamFilter {
  /**
   * Judges a message.
   * @param message as it would go out, at most LARGEST_JUDGED bytes.
   * @throws SpamFilterFailure when there is no verdict; the signal's reason when it is given up.
   */
  abstract judge(message: Buffer, signal: AbortSignal): Promise<SpamdVerdict>;
}

/** Bytes of a message that a filter is given: as many as its own client hands over. */
export const LARGEST_JUDGED = 500 * 1_024;

/** Why there is no verdict, in a sentence for the people of a workspace: it names no host. */
export class SpamFilterFailure extends Error {
  override readonly name = 'SpamFilterFailure';
}
