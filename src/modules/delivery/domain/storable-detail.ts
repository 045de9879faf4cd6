/** Texts of servers and errors about a message, as the ledger stores them. */
import { truncate } from '../../../kernel/text-length.js';

const MAX_DETAIL_CHARS = 500;

/**
 * A server's answer or an error's text as the ledger stores it: at most 500 characters, without what PostgreSQL rejects
 * (NUL, and in JSON unpaired surrogates).
 */
export function storableDetail(text: string): string {
  return truncate(text.replaceAll('\0', '').toWellFormed(), MAX_DETAIL_CHARS);
}
