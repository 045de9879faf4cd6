/** Text in a drawing: XML escaping, and an estimate of its width, since no font metrics are available here. */
import { escapeHtml } from '../../../../kernel/escape-html.js';
import { sanitizeText } from '../sanitize-text.js';

/** Character widths relative to the font size; overestimated rather than underestimated. */
const NARROW = 0.36;
const USUAL = 0.61;
const CAPITAL = 0.74;
const PERCENT = 0.95;
const WIDE = 1.05;

/** Escapes text for element content or a quoted attribute; removes what XML cannot contain. */
export function xml(text: string): string {
  return escapeHtml(text);
}

/** Estimates the width of a text, in the unit of `size`. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += partOf(character);
  return width * size;
}

function partOf(character: string): number {
  if (/[iljtfrI1.,:;'|()[\]! ]/.test(character)) return NARROW;
  if (/[A-Zmw@]/.test(character)) return CAPITAL;
  if (character === '%') return PERCENT;
  return (character.codePointAt(0) ?? 0) > 0x2e7f ? WIDE : USUAL;
}

/** Truncates the text to a width of at most `maxWidth`. */
export function truncateToWidth(text: string, size: number, maxWidth: number): string {
  if (widthOf(text, size) <= maxWidth) return text;
  let length = [...text].length;
  while (length > 2 && widthOf(sanitizeText(text, length), size) > maxWidth) length--;
  return sanitizeText(text, length);
}
