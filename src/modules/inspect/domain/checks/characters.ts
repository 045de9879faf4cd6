/** Checks for invisible and misleading characters, and for what comments reveal (section 4.7, html). */
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { hiddenElements } from '../email/hidden-elements.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';

/** From this number of invisible characters within words, they are not an accident of copying. */
const MIN_INVISIBLE_CHARACTERS = 5;
/** From this number of characters, comments are a waste; an author's notes are shorter. */
const MAX_COMMENTS_LENGTH = 4_096;
/** Joiners are legitimate between letters of other scripts, but not between Latin ones. */
const INVISIBLE =
  /(?<=\p{L})[\u200b\u2060\ufeff\u180e](?=\p{L})|(?<=\p{Script=Latin})[\u200c\u200d](?=\p{Script=Latin})/gu;
const CONTROL = /[\0-\b\v\x0e-\x1f\x7f-\x9f]/g;
const DIRECTION_OVERRIDE = /[\u202d\u202e]|&#(?:x202[de]|823[78]);/gi;
const ESCAPED_TWICE = /&(?:nbsp|amp|lt|gt|quot|copy|reg|trade|hellip|mdash|ndash|rsquo|#\d{2,5});/g;
/** Written with character classes, so that tools do not find these notes here. */
const NOTE = /\b(?:TO[D]O|FIX[M]E|XXX|HA[C]K)\b|\b(?:password|passwd|api[_ -]?key|secret)\s*[:=]/i;

export function checkCharacters(email: ParsedEmail): RuleFinding[] {
  return [
    ...checkInvisible(email),
    ...checkControl(email),
    ...search(
      email.source,
      DIRECTION_OVERRIDE,
      'direction_override',
      'A character reverses the text direction.',
    ),
    ...email.texts.flatMap(({ text, offset }) => escapedTwice(text, offset)),
    ...checkComments(email),
  ];
}

function checkInvisible(email: ParsedEmail): RuleFinding[] {
  const hidden = hiddenElements(email);
  let count = 0;
  let at: number | null = null;
  for (const { text, offset, parent } of email.texts) {
    if (hidden.has(parent)) continue;
    const found = text.match(INVISIBLE)?.length ?? 0;
    if (found > 0) at ??= offset;
    count += found;
  }
  if (count < MIN_INVISIBLE_CHARACTERS) return [];
  const message = `There are ${count} zero-width characters inside words.`;
  return [{ rule: 'invisible_characters', message, at }];
}

function checkControl({ source }: ParsedEmail): RuleFinding[] {
  const found = source.match(CONTROL);
  if (!found) return [];
  const codes = [...new Set(found)].slice(0, 5).map((character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return `U+${code.padStart(4, '0')}`;
  });
  const message = `The body contains ${found.length} control characters (${codes.join(', ')}).`;
  return [{ rule: 'control_characters', message, at: source.search(CONTROL) }];
}

function escapedTwice(text: string, offset: number): RuleFinding[] {
  const match = text.match(ESCAPED_TWICE)?.[0];
  if (match === undefined) return [];
  const message = `The text shows ${quote(match)} instead of the character.`;
  return [{ rule: 'entity_escaped_twice', message, at: offset, until: offset + text.length }];
}

function search(source: string, pattern: RegExp, rule: RuleName, message: string): RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const { 0: match, index } of source.matchAll(pattern)) {
    if (findings.length >= MAX_FINDINGS) break;
    findings.push({ rule, message, at: index, until: index + match.length });
  }
  return findings;
}

/** Skips conditional comments, since Outlook reads them. */
function checkComments({ comments }: ParsedEmail): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const own = comments.filter(({ text }) => !/^(?:\[if|<!|\[endif)/i.test(text.trimStart()));
  for (const { text, offset: at, end: until } of own) {
    const note = NOTE.exec(text);
    if (!note || findings.length >= MAX_FINDINGS) continue;
    const message = `A comment contains a note: ${quote(text.slice(note.index))}.`;
    findings.push({ rule: 'comment_note', message, at, until });
  }
  const length = own.reduce((sum, { offset, end }) => sum + end - offset, 0);
  if (length > MAX_COMMENTS_LENGTH) {
    const message = `Comments take up ${(length / 1024).toFixed(1)} KB.`;
    findings.push({ rule: 'comments_long', message, at: null });
  }
  return findings;
}
