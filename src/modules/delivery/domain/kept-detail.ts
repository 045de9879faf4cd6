/** What others say of a message, as the ledger keeps it. */
const LONGEST_DETAIL = 500;

/** A server's answer or an error's text as the ledger keeps it: at most 500 characters, without NUL, which PostgreSQL refuses. */
export function keptDetail(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST_DETAIL);
}
