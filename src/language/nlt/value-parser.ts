/**
 * Parses values with arithmetic and modifiers: `the user's Points plus 100, rounded, or "none"`.
 *
 * Edge cases:
 * - `the user.first_name` is the contact too; `the "user"'s x` and `the user's x from the … event` are not.
 * - `from the …` must end with `event`; an event named `trigger` is quoted. Dots belong to the event's name.
 * - The fallback after `or` may be a quoted text, a number, `true`, `false` or another value.
 * - Arithmetic accepts neither `today` and `now` nor quoted text.
 */
import { parseModifiers } from './modifier-parser.js';
import { parseName, parsePath, type NameSetting } from './name-parser.js';
import type { TokenCursor } from './token-cursor.js';
import type { Operand, PipedValue, Product, Reference, Value } from './tree.js';

const numberPattern = /^-?\d+(?:\.\d+)?$/;

/** Whether the current token is a number. */
export function isNumber(cursor: TokenCursor, ahead = 0): boolean {
  const token = cursor.peek(ahead);
  return token?.kind === 'word' && numberPattern.test(token.text);
}

/** A value with its modifiers. */
export function parsePipedValue(cursor: TokenCursor, setting: NameSetting): PipedValue {
  const value = parseValue(cursor, setting);
  return { value, modifiers: parseModifiers(cursor, () => parseOperand(cursor, setting)) };
}

/** A value with arithmetic, without modifiers. */
export function parseValue(cursor: TokenCursor, setting: NameSetting): Value {
  const start = cursor.offset;
  const first = parseProduct(cursor, setting);
  const rest: { operator: 'plus' | 'minus'; value: Operand | Product }[] = [];
  for (;;) {
    const operator = cursor.accept('plus') ? 'plus' : cursor.accept('minus') ? 'minus' : null;
    if (operator === null) break;
    rest.push({ operator, value: parseProduct(cursor, setting, operator) });
  }
  if (rest.length === 0) return first;
  for (const operand of [first, ...rest.map((part) => part.value)]) rejectMoment(cursor, operand, start);
  return { kind: 'sum', first, rest };
}

function parseProduct(cursor: TokenCursor, setting: NameSetting, after?: string): Operand | Product {
  const start = cursor.offset;
  const first = parseOperand(cursor, setting, after);
  const rest: { operator: Product['rest'][number]['operator']; value: Operand }[] = [];
  for (;;) {
    const operator = acceptProductOperator(cursor);
    if (operator === null) break;
    rest.push({ operator, value: parseOperand(cursor, setting, operator) });
  }
  if (rest.length === 0) return first;
  for (const operand of [first, ...rest.map((part) => part.value)]) rejectMoment(cursor, operand, start);
  return { kind: 'product', first, rest };
}

function acceptProductOperator(cursor: TokenCursor): 'times' | 'divided by' | 'modulo' | null {
  if (cursor.accept('times')) return 'times';
  if (cursor.accept('divided', 'by')) return 'divided by';
  return cursor.accept('modulo') ? 'modulo' : null;
}

function rejectMoment(cursor: TokenCursor, operand: Operand | Product, offset: number): void {
  if (operand.kind === 'moment') cursor.fail(`“${operand.name}” cannot be used in arithmetic.`, offset);
}

/** A number, `the …`, `today` or `now`. */
function parseOperand(cursor: TokenCursor, setting: NameSetting, after?: string): Operand {
  const token = cursor.peek();
  if (isNumber(cursor)) {
    cursor.advance();
    return { kind: 'number', digits: token?.text ?? '' };
  }
  if (cursor.at(['the'])) return parseReference(cursor, setting);
  if (cursor.accept('today')) return { kind: 'moment', name: 'today' };
  if (cursor.accept('now')) return { kind: 'moment', name: 'now' };
  const expected = after === undefined ? 'A value' : `After “${after}” a value`;
  return cursor.fail(`${expected} was expected: a number, or a name that starts with “the”.`);
}

/** `the user's X`, `the X from the … event`, or the short form `the X`. */
function parseReference(cursor: TokenCursor, setting: NameSetting): Reference {
  cursor.advance();
  const isContact = cursor.at(['user']) && (cursor.atKind('possessive', 1) || cursor.atKind('dot', 1));
  const path = parsePath(cursor, setting, 'a value');
  if (cursor.accept('from', 'the')) return { kind: 'reference', ...parseEvent(cursor, setting), path };
  if (isContact) return { kind: 'reference', source: 'contact', event: null, path: path.slice(1) };
  return { kind: 'reference', source: 'short', event: null, path };
}

function parseEvent(cursor: TokenCursor, setting: NameSetting): Pick<Reference, 'source' | 'event'> {
  const start = cursor.offset;
  if (cursor.atKind('quoted')) {
    const event = parseName(cursor, setting, 'an event');
    if (!cursor.accept('event')) cursor.fail('After the name of an event, the word “event” was expected.');
    return { source: 'event', event };
  }
  let name = parseName(cursor, setting, 'an event');
  while (cursor.atKind('dot')) {
    cursor.advance();
    name += `.${parseName(cursor, setting, 'an event')}`;
  }
  const words = name.split(' ');
  if (words.pop()?.toLowerCase() !== 'event' || words.length === 0) {
    cursor.fail('Write “from the trigger event” or “from the … event” with the event’s name.', start);
  }
  const event = words.join(' ');
  return event.toLowerCase() === 'trigger' ? { source: 'trigger', event: null } : { source: 'event', event };
}
