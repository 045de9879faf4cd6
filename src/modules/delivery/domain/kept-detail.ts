/** What others say of a message, as the ledger keeps it. */
import { beginningOf } from '../../../kernel/text-length.js';

const LONGEST_DETAIL = 500;

/**
 * A server's answer or an error's text as the ledger keeps it: at most 500 characters, without what PostgreSQL refuses, which
 * is NUL, and in JSON halves of a pair.
 */
export function keptDetail(text: string): string {
  return beginningOf(text.replaceAll('\0', '').toWellFormed(), LONGEST_DETAIL);
}
