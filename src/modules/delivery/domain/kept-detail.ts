/** Texts of servers and errors about a message, as the ledger stores them. */
import { beginningOf } from '../../../kernel/text-length.js';

const LONGEST_DETAIL = 500;

/**
 * A server's answer or an error's text as the ledger stores it: at most 500 characters, without what PostgreSQL rejects
 * (NUL, and in JSON unpaired surrogates).
 */
export function keptDetail(text: string): string {
  return beginningOf(text.replaceAll('\0', '').toWellFormed(), LONGEST_DETAIL);
}
