/** Words for what is mended mechanically, taken from the email itself; as HTML, without braces that an expression opens. */
import { holdsExpression } from '../email/blanked-source.js';
import type { ParsedEmail } from '../email/parsed-email.js';

const LONGEST_ADDRESS = 2_000;
/** Characters of a line that continues the subject. */
const SHORTEST_PREHEADER = 30;
const LONGEST_PREHEADER = 90;
/** Characters of text by which the language is told, and words of it that English cannot do without. */
const SEEN_OF_TEXT = 20_000;
const ENGLISH = /\b(?:the|and|you|your|with|this|have|from|are)\b/gi;
const FEWEST_ENGLISH = 5;

/**
 * What an image's file is called, in words: empty for one that decorates, null where the name says nothing.
 */
export function wordsOfAddress(address: string): string | null {
  if (holdsExpression(address)) return null;
  const file =
    /(?<![^/?#])([^/?#]+)\.(?:png|jpe?g|gif|webp|svg)(?:[?#]|$)/i.exec(address.slice(0, LONGEST_ADDRESS))?.[1] ?? '';
  const words = file
    .replace(/@\dx$/i, '')
    .replace(/[^a-z]+/gi, ' ')
    .trim()
    .toLowerCase();
  if (/^(spacer|pixel|blank|transparent|shim|clear|divider|line|border|shadow)\b/.test(words)) return '';
  const said = words.split(' ').filter((word) => word.length > 1 && /[aeiouy]/.test(word));
  if (
    said.length === 0 ||
    said.length > 8 ||
    /^(image|img|photo|untitled|unnamed|download)$/.test(said.join(' '))
  )
    return null;
  const text = said.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a message is surely in English. */
export function isEnglish({ texts }: ParsedEmail): boolean {
  const text = texts
    .map((each) => each.text)
    .join(' ')
    .slice(0, SEEN_OF_TEXT);
  return (text.match(ENGLISH) ?? []).length >= FEWEST_ENGLISH;
}

/** The first text of a message that is long enough and certain, cut at a word; null where there is none. */
export function preheaderIn({ texts }: ParsedEmail): string | null {
  for (const { text } of texts) {
    const line = text.slice(0, SEEN_OF_TEXT).replace(/\s+/g, ' ').trim();
    if (line.length < SHORTEST_PREHEADER || holdsExpression(text) || /[{}«»]/.test(line)) continue;
    const cut =
      line.length <= LONGEST_PREHEADER ? line : line.slice(0, LONGEST_PREHEADER).replace(/\s\S*$/, '…');
    return cut.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').toWellFormed();
  }
  return null;
}
