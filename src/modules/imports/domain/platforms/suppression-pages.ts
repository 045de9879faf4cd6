/** Reads lists of addresses that a platform does not write to, in pages by offset. */
import type { OptOutReason } from '../source-record.js';
import { SourceFailure } from '../import-source.js';
import { objectIn, textIn } from './source-fields.js';
import { bodyOrNull, unexpectedResponse, emptyIfDenied, type PlatformAnswer } from './platform-answer.js';
import type { SuppressionPage } from './platform-export.js';

/** Maximum number of addresses of one list. */
const MAX_ADDRESSES = 10_000_000;
/**
 * Number of addresses at a page's end that are read again with the next one, in case earlier ones are removed
 * meanwhile.
 */
const OVERLAP = 20;
/** Statuses, besides 401 and 403, that mean that the list does not exist, or not on this plan. */
const WITHOUT_LIST: ReadonlySet<number> = new Set([402, 404]);

/**
 * One page. A list that does not exist or that the key may not read counts as empty if its first page reports it. A
 * list that was begun must be read to its end.
 * @throws SourceFailure platform_unavailable; invalid_credentials for a key that is refused after the first page.
 */
export async function pageOfAddresses(
  response: Promise<PlatformAnswer>,
  listName: string,
  list: { readonly reason: OptOutReason; readonly offset: number; readonly limit: number },
): Promise<SuppressionPage> {
  const { reason, offset, limit } = list;
  const isFirst = offset === 0;
  const read = response.then((answer) =>
    isFirst && WITHOUT_LIST.has(answer.status) ? [] : addressesIn(answer, listName, isFirst),
  );
  const items = await (isFirst ? emptyIfDenied(read) : read);
  const isLast = items.length < limit;
  if (!isLast && offset >= MAX_ADDRESSES) throw unexpectedResponse('belongs to an endless list');
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
  const page = bodyOrNull(answer);
  if (page === null)
    throw new SourceFailure('platform_unavailable', `The platform answered with status ${answer.status}.`);
  const items = page[listName];
  // Some platforms return null for an empty list.
  if (items === null && isFirst) return [];
  if (!Array.isArray(items)) throw unexpectedResponse(`contains no list "${listName}"`);
  return items;
}
