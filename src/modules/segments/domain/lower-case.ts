/**
 * Lower case as PostgreSQL makes it, one code point at a time and by its simple mapping, so that a comparison in memory
 * and one in SQL find the same texts. JavaScript's own looks at neighbours (a sigma at the end of a word) and may make
 * two code points of one (the capital I with a dot).
 */
const DOTTED_CAPITAL_I = '\u0130';

export function lowerCase(text: string): string {
  // Nothing outside of these two needs the slow way.
  if (!text.includes('Σ') && !text.includes(DOTTED_CAPITAL_I)) return text.toLowerCase();
  return Array.from(text, (point) => (point === DOTTED_CAPITAL_I ? 'i' : point.toLowerCase())).join('');
}
