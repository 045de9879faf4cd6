/** Lists of addresses that a platform does not write to, in pages by offset. */
import type { OptOutReason } from '../foreign-contact.js';
import { SourceFailure } from '../import-source.js';
import { objectIn, textIn } from './foreign-fields.js';
import { goodAnswer, misunderstood, noneWhereRefused, type PlatformAnswer } from './platform-answer.js';
import type { SuppressionPage } from './platform-export.js';

/** Addresses of one list. */
const MOST_ADDRESSES = 10_000_000;
/** Addresses at a page's end that are read again with the next one, should some before them be taken off. */
const OVERLAP = 20;
/** What says, besides 401 and 403, that there is no such list, or none on this plan. */
const WITHOUT_LIST: ReadonlySet<number> = new Set([402, 404]);

/**
 * One page. A list that the platform does not have, or that the key may not read, is empty, if its first page says so: a list
 * that was begun is read to its end, or not at all.
 * @throws SourceFailure platform_unavailable, and invalid_credentials for a key that is refused in the midst of a list.
 */
export async function pageOfAddresses(
  asked: Promise<PlatformAnswer>,
  listName: string,
  list: { readonly reason: OptOutReason; readonly offset: number; readonly limit: number },
): Promise<SuppressionPage> {
  const { reason, offset, limit } = list;
  const isFirst = offset === 0;
  const taken = asked.then((answer) =>
    isFirst && WITHOUT_LIST.has(answer.status) ? [] : addressesIn(answer, listName, isFirst),
  );
  const items = await (isFirst ? noneWhereRefused(taken) : taken);
  const isLast = items.length < limit;
  if (!isLast && offset >= MOST_ADDRESSES) throw misunderstood('belongs to an endless list');
  return {
    suppressions: items.flatMap((item) => {
      const email = textIn(objectIn(item).email);
      return email === null ? [] : [{ kind: 'suppression', email, reason }];
    }),
    next: isLast ? null : offset + items.length - OVERLAP,
  };
}

/** @throws SourceFailure platform_unavailable */
function addressesIn(answer: PlatformAnswer, listName: string, isFirst: boolean): readonly unknown[] {
  const page = goodAnswer(answer);
  if (page === null)
    throw new SourceFailure('platform_unavailable', `The platform answered with status ${answer.status}.`);
  const items = page[listName];
  // Some write an empty list as null.
  if (items === null && isFirst) return [];
  if (!Array.isArray(items)) throw misunderstood(`contains no list "${listName}"`);
  return items;
}
