/**
 * Derives the texts of mechanical fixes from the email itself, as HTML without braces that would open an expression.
 */
import { holdsExpression } from '../email/blanked-source.js';
import type { ParsedEmail } from '../email/parsed-email.js';

const MAX_ADDRESS_LENGTH = 2_000;
/** Length of a generated preheader, in characters. */
const MIN_PREHEADER_LENGTH = 30;
const MAX_PREHEADER_LENGTH = 90;
/**
 * Maximum number of characters of text from which the language is detected, and the number of its typical words that
 * must occur.
 */
const MAX_TEXT_LENGTH = 20_000;
const MIN_TYPICAL_WORDS = 5;
/** Words that are frequent in a language and do not exist in the others. */
const TYPICAL_WORDS: readonly (readonly [string, RegExp])[] = [
  ['en', /\b(?:the|and|you|your|with|this|have|from|are)\b/gi],
  ['de', /\b(?:der|das|und|ist|nicht|mit|ein|eine|sie|ihre|für|wir|auf)\b/gi],
  ['fr', /\b(?:les|des|est|vous|votre|nous|pour|avec|une|dans|et|du)\b/gi],
  ['es', /\b(?:el|los|las|usted|tu|para|con|una|por|más|y|del)\b/gi],
  ['it', /\b(?:il|gli|che|per|con|una|della|sono|tuo|è|di|e)\b/gi],
  ['nl', /\b(?:het|een|van|voor|met|niet|jouw|je|wij|zijn|naar|en)\b/gi],
  ['pt', /\b(?:os|você|não|para|com|uma|seu|sua|mais|do|da|e)\b/gi],
];
/** Scripts that only one language uses. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\u3040-\u30ff]/],
  ['ko', /[\uac00-\ud7af]/],
  ['el', /[\u0370-\u03ff]{3}/],
  ['he', /[\u0590-\u05ff]{3}/],
  ['th', /[\u0e00-\u0e7f]{3}/],
];
/** Scripts that many languages use. */
const SHARED_SCRIPTS = /[\u0400-\u052f\u0600-\u06ff\u0900-\u0dff\u4e00-\u9fff]/;
/** Words of file names that say nothing about the image. */
const MEANINGLESS_NAME =
  /^(?:image|img|photo|picture|pic|graphic|banner|hero|placeholder|bild|foto|alt|download|untitled|unnamed)$/;

/** The words of an image's file name: empty for a decorative image, null if the name says nothing. */
export function altTextOfAddress(address: string): string | null {
  if (holdsExpression(address)) return null;
  const file =
    /(?<![^/?#])([^/?#]+)\.(?:png|jpe?g|gif|webp|svg|avif)(?:[?#]|$)/i.exec(
      address.slice(0, MAX_ADDRESS_LENGTH),
    )?.[1] ?? '';
  const words = unescaped(file)
    .replace(/@\dx$/i, '')
    .replace(/[^a-z]+/gi, ' ')
    .trim()
    .toLowerCase();
  if (/^(spacer|pixel|blank|transparent|shim|clear|divider|line|border|shadow)\b/.test(words)) return '';
  const meaningful = words.split(' ').filter((word) => word.length > 1 && /[aeiouy]/.test(word));
  if (meaningful.length === 0 || meaningful.length > 8 || MEANINGLESS_NAME.test(meaningful.join(' ')))
    return null;
  const text = meaningful.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function unescaped(file: string): string {
  return file.replace(/%20|\+/g, ' ').replace(/%[\da-f]{2}/gi, '');
}

/** The language of a message; null if it cannot be determined. */
export function languageOf(email: ParsedEmail): string | null {
  const text = textFor(email);
  const script = SCRIPTS.find(([, letters]) => letters.test(text));
  if (script) return script[0];
  if (SHARED_SCRIPTS.test(text)) return null;
  const counts = TYPICAL_WORDS.map(([language, words]) => ({
    language,
    count: new Set(text.toLowerCase().match(words)).size,
  })).sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  const isDetected = first && first.count >= MIN_TYPICAL_WORDS && first.count >= 2 * (second?.count ?? 0);
  return isDetected ? first.language : null;
}

/** English, unless the script shows that it is another language. */
export function guessedLanguage(email: ParsedEmail): string | null {
  return SHARED_SCRIPTS.test(textFor(email)) ? null : 'en';
}

function textFor({ texts }: ParsedEmail): string {
  return texts
    .map((each) => each.text)
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH);
}

/** Escapes a text for HTML. */
export function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').toWellFormed();
}

/** The first text of a message that is long enough and contains no expression, cut at a word; null if there is none. */
export function preheaderIn({ texts }: ParsedEmail): string | null {
  for (const { text } of texts) {
    const line = text.slice(0, MAX_TEXT_LENGTH).replace(/\s+/g, ' ').trim();
    if (line.length < MIN_PREHEADER_LENGTH || holdsExpression(text) || /[{}«»]/.test(line)) continue;
    const cut =
      line.length <= MAX_PREHEADER_LENGTH ? line : line.slice(0, MAX_PREHEADER_LENGTH).replace(/\s\S*$/, '…');
    return asHtml(cut);
  }
  return null;
}
