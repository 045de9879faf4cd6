/**
 * Normalizes a server's reply for phrase search: lower case, without accents and punctuation, and without addresses,
 * hosts and URLs, because an address may contain any word (`quota@spam.example`).
 */

/** Characters. */
export const MAX_REPLY_CHARS = 4_000;

const SEPARATORS = /[<>()[\]{}"'`´‘’“”«»,;=|]+/g;
const MARKS = /\p{M}+/gu;
/** Letters that Unicode does not decompose. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ß', 'ss'],
]);
const NOT_PLAIN = /[ıłøđß]/g;
const NO_WORD = /[^\p{L}\p{N}]+/gu;
const HOST = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+[.:]*$/u;
/** Some replies name a block list only by its URL or host. */
const BLOCK_LISTS = [
  'spamhaus',
  'spamcop',
  'sorbs',
  'barracudacentral',
  'uceprotect',
  'abuseat',
  'surbl',
  'uribl',
  'dnsbl',
  'abusix',
  'manitu',
  'mailspike',
  'spamrats',
  'psbl',
];
/** Replaces a host, so that the words before and after it do not form a phrase. */
const HOST_PLACEHOLDER = 'x';
/** Components of Exchange, which look like hosts. */
const EXCHANGE = /^(?:resolver|storedrv|queue|routing|smtpsend)\./;

/** Words with one space before, between and after them. */
export function replyWords(text: string): string {
  const plain = text
    .slice(0, MAX_REPLY_CHARS)
    .normalize('NFKD')
    .slice(0, 2 * MAX_REPLY_CHARS)
    .toLowerCase()
    .replaceAll(MARKS, '')
    .replaceAll(NOT_PLAIN, (letter) => PLAIN.get(letter) ?? letter);
  const spaced = plain.includes('_said:_') ? plain.replaceAll('_', ' ') : plain;
  const words = spaced
    .replaceAll(SEPARATORS, ' ')
    .split(/\s+/)
    .map(replyWord)
    .join(' ')
    .replaceAll(NO_WORD, ' ')
    .replaceAll(' e mail', ' email')
    .replaceAll(' mail box', ' mailbox')
    .trim();
  return ` ${words} `;
}

function replyWord(token: string): string {
  if (token.includes('@')) return '';
  const isHost = token.includes('://') || (HOST.test(token) && !EXCHANGE.test(token));
  if (!isHost) return token;
  return BLOCK_LISTS.some((name) => token.includes(name)) ? 'dnsbl' : HOST_PLACEHOLDER;
}
