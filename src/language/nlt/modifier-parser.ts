/**
 * Parses the modifiers that follow a value after commas.
 *
 * Edge cases:
 * - A comma without a modifier after it is left to the caller (`is one of "a", "b"`; `…, and the …`).
 * - Names of formats are case-insensitive; anything else after `as` must be a date pattern.
 * - `rounded`, `rounded up` and `rounded down` all take `to N` with 0 to 20 digits.
 */
import { canonicalFormat } from './format-names.js';
import type { TokenCursor } from './token-cursor.js';
import type { LetterCase, Modifier, Operand } from './tree.js';

const letterCases: readonly LetterCase[] = ['uppercase', 'lowercase', 'titlecase', 'capitalized'];
const modifierNames =
  'or, otherwise, required, as, uppercase, lowercase, titlecase, capitalized, trimmed, replacing, rounded, count, first, last, joined with';

/** Parses all modifiers from here; `parseOperand` parses the value after `or`. */
export function parseModifiers(cursor: TokenCursor, parseOperand: () => Operand): Modifier[] {
  const modifiers: Modifier[] = [];
  while (cursor.atKind('comma') && !endsModifiers(cursor)) {
    cursor.advance();
    modifiers.push(parseModifier(cursor, parseOperand));
  }
  return modifiers;
}

/** Whether the comma here belongs to the enclosing condition: before `is`, `and` and similar words. */
function endsModifiers(cursor: TokenCursor): boolean {
  const next = cursor.peek(1)?.lower ?? '';
  return ['and', 'is', 'exists', 'contains', 'does', 'starts', 'ends'].includes(next);
}

function parseModifier(cursor: TokenCursor, parseOperand: () => Operand): Modifier {
  const letterCase = letterCases.find((name) => cursor.accept(name));
  if (letterCase !== undefined) return { kind: 'case', letterCase };
  if (cursor.accept('or')) return { kind: 'or', fallback: parseFallback(cursor, parseOperand) };
  if (cursor.accept('otherwise'))
    return { kind: 'or', fallback: parseFallback(cursor, parseOperand), isFalsy: true };
  if (cursor.accept('required')) return { kind: 'required' };
  if (cursor.accept('as')) return { kind: 'as', format: parseFormat(cursor) };
  if (cursor.accept('trimmed')) return { kind: 'trimmed' };
  if (cursor.accept('replacing')) return parseReplacing(cursor);
  if (cursor.accept('rounded')) return parseRounded(cursor);
  if (cursor.accept('count')) return { kind: 'count' };
  if (cursor.accept('first')) return { kind: 'first' };
  if (cursor.accept('last')) return { kind: 'last' };
  if (cursor.accept('joined')) {
    if (!cursor.accept('with'))
      cursor.fail('After “joined”, the word “with” and a quoted text were expected.');
    return { kind: 'joined', separator: parseQuoted(cursor, 'joined with') };
  }
  const word = cursor.peek()?.text;
  const found = word === undefined ? 'Nothing follows this comma' : `“${word}” is not a modifier`;
  return cursor.fail(`${found}. The modifiers are: ${modifierNames}.`);
}

function parseFallback(cursor: TokenCursor, parseOperand: () => Operand): Operand {
  const text = cursor.acceptKind('quoted');
  if (text !== null) return { kind: 'text', text };
  if (cursor.accept('true')) return { kind: 'boolean', value: true };
  if (cursor.accept('false')) return { kind: 'boolean', value: false };
  const token = cursor.peek();
  if (token?.kind === 'word' && !/^(?:the|today|now|-?\d.*)$/.test(token.lower)) {
    cursor.fail(`Put the fallback in quotes: or "${token.text}".`);
  }
  return parseOperand();
}

function parseFormat(cursor: TokenCursor): string {
  const offset = cursor.offset;
  const format = canonicalFormat(parseQuoted(cursor, 'as'));
  if (format === null) {
    cursor.fail(
      'This format is not known. Use currency, currency EUR, number, percent, date, short date, long date, ' +
        'time, date and time, html, or a date pattern such as d MMM yyyy.',
      offset,
    );
  }
  return format;
}

function parseReplacing(cursor: TokenCursor): Modifier {
  const offset = cursor.offset;
  const search = parseQuoted(cursor, 'replacing');
  if (search === '') cursor.fail('The text to replace is empty.', offset);
  if (!cursor.accept('with'))
    cursor.fail('After “replacing "…"”, the word “with” and a quoted text were expected.');
  return { kind: 'replacing', search, replacement: parseQuoted(cursor, 'with') };
}

function parseRounded(cursor: TokenCursor): Modifier {
  const mode = cursor.accept('down') ? 'down' : cursor.accept('up') ? 'up' : 'nearest';
  if (!cursor.accept('to')) return { kind: 'rounded', mode, digits: 0 };
  const digits = cursor.peek()?.text ?? '';
  if (!/^\d{1,2}$/.test(digits) || Number(digits) > 20)
    cursor.fail('After “to”, a number from 0 to 20 was expected.');
  cursor.advance();
  return { kind: 'rounded', mode, digits: Number(digits) };
}

function parseQuoted(cursor: TokenCursor, after: string): string {
  const text = cursor.acceptKind('quoted');
  return text ?? cursor.fail(`After “${after}”, a text in quotes was expected.`);
}
