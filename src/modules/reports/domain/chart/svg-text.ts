/** Text in a drawing: as XML, and about how wide it will be, since nobody can measure it here. */
import { escapeHtml } from '../../../../kernel/escape-html.js';
import { shownText } from '../shown-text.js';

/** Widths in parts of the size of the font; rather too wide than too narrow. */
const NARROW = 0.36;
const USUAL = 0.61;
const CAPITAL = 0.74;
const PERCENT = 0.95;
const WIDE = 1.05;

/** The text as content or quoted attribute; what XML cannot hold is gone. */
export function xml(text: string): string {
  return escapeHtml(text);
}

/** About how wide a text is, in the unit of `size`. */
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

/** The text, cut so that it is no wider than `room`. */
export function fitted(text: string, size: number, room: number): string {
  if (widthOf(text, size) <= room) return text;
  let length = [...text].length;
  while (length > 2 && widthOf(shownText(text, length), size) > room) length--;
  return shownText(text, length);
}
