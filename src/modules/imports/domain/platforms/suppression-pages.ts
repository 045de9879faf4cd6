/** Lists of addresses that a platform does not write to, in pages by offset. */
import type { OptOutReason } from '../foreign-contact.js';
import { listIn, objectIn, textIn } from './foreign-fields.js';
import { goodAnswer, noneWhereRefused, type PlatformAnswer } from './platform-answer.js';
import type { SuppressionPage } from './platform-export.js';

/** Addresses of one list. */
const MOST_ADDRESSES = 10_000_000;
/** Addresses at a page's end that are read again with the next one, should some before them be taken off. */
const OVERLAP = 20;

/**
 * One page. A list that the platform does not have, or that the key may not read, is empty.
 * @throws SourceFailure platform_unavailable
 */
export async function pageOfAddresses(
  asked: Promise<PlatformAnswer>,
  listName: string,
  list: { readonly reason: OptOutReason; readonly offset: number; readonly limit: number },
): Promise<SuppressionPage> {
  const { reason, offset, limit } = list;
  const items = await noneWhereRefused(asked.then((answer) => listIn(goodAnswer(answer)?.[listName])));
  const isLast = items.length < limit || offset >= MOST_ADDRESSES;
  return {
    suppressions: items.flatMap((item) => {
      const email = textIn(objectIn(item).email);
      return email === null ? [] : [{ kind: 'suppression', email, reason }];
    }),
    next: isLast ? null : offset + items.length - OVERLAP,
  };
}
