/**
 * Lower-cases like PostgreSQL, one code point at a time with simple mappings, so that comparisons in memory and in
 * SQL agree. JavaScript's own function depends on neighbours (a sigma at the end of a word) and may turn one code
 * point into two (the capital I with a dot).
 */
const DOTTED_CAPITAL_I = '\u0130';

export function lowerCase(text: string): string {
  // Only these two characters need the slow path.
  if (!text.includes('Σ') && !text.includes(DOTTED_CAPITAL_I)) return text.toLowerCase();
  return Array.from(text, (point) => (point === DOTTED_CAPITAL_I ? 'i' : point.toLowerCase())).join('');
}
