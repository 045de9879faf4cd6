/** Replaces blocks that are not converted: by a placeholder, or by nothing. */
import { MAX_LINK_LENGTH, MAX_OPENING_TAG_LENGTH, MAX_PLACEHOLDER_TEXT_LENGTH } from './foreign-limits.js';

/** A placeholder with the original text, in which no brace, quote or tag keeps a special meaning. */
export function placeholderOf(original: string): string {
  const words = original
    .slice(0, 4 * MAX_PLACEHOLDER_TEXT_LENGTH)
    .replace(/[{}<>"'`«»&*|%#$\s\u00a0]+/g, ' ')
    .trim();
  const isLong = words.length > MAX_PLACEHOLDER_TEXT_LENGTH;
  const text = isLong ? `${words.slice(0, MAX_PLACEHOLDER_TEXT_LENGTH).trimEnd()}…` : words;
  return `«${text === '' ? '?' : text}»`;
}

/** Attributes that are addresses: a gap in one breaks it. */
const ADDRESS_ATTRIBUTE =
  /[\s"'](?:href|src|srcset|action|background|poster)\s*=\s*(?:"[^"]*|'[^']*|[^\s"']*)$/i;

/**
 * The link whose address contains `start`..`end`; `outside` if it is in no address; null if it is in that of another
 * tag.
 */
export function linkAround(
  source: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | 'outside' | null {
  const before = source.slice(Math.max(0, start - MAX_OPENING_TAG_LENGTH), start);
  const tag = before.lastIndexOf('<');
  if (tag < 0 || before.indexOf('>', tag) >= 0) return 'outside';
  if (!/^<[a-z/!]/i.test(before.slice(tag, tag + 2))) return 'outside';
  if (!ADDRESS_ATTRIBUTE.test(before.slice(tag))) return 'outside';
  if (!/^<a\s/i.test(before.slice(tag, tag + 3))) return null;
  const closing = /<\/a\s*>/i.exec(source.slice(end, end + MAX_LINK_LENGTH));
  if (closing === null) return null;
  return { start: start - before.length + tag, end: end + closing.index + closing[0].length };
}
