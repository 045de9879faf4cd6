/**
 * Parses the condition of `if` and `else if`. `and` binds tighter than `or`; `not` precedes one comparison.
 *
 * Edge cases:
 * - A value alone is a condition: `{if the user's VIP}` is true unless the value is missing, empty, false or 0.
 * - The left side takes modifiers: `{if the user's Tags, count is at least 3}`. So does a right side that starts with
 *   `the`. A comma before `and`, `or` and the comparison itself is allowed, but after `the …` a comma and `or` start a
 *   fallback.
 * - Bare words on the right extend to the next comma, `and` or `or`; they are one text. `true`, `false`, numbers,
 *   `today` and `now` keep their meaning if alone, and `the …` is always a value: quote such a text.
 * - `is not greater than`, `is not one of`, `does not start with` and similar forms are the negated comparison; `is
 *   equal to` and `equals` are `is`, `is greater than or equal to` is `is at least`; `isn't` and `doesn't` are two
 *   words each.
 * - `is null` and `is not null` test for null, which differs from a missing value; the text is `is "null"`.
 * - `is one of "a", "b" or "c"`, `…, or "c"` and `is one of a or b` are one list, unless a comparison starts after
 *   `or`: its left side is a name, a number, `today` or `now`.
 * - An unknown comparison that resembles an order (`is above 5`, `is between 1 and 2`) is an error, not a text to
 *   compare with.
 */
import type { TokenCursor } from './token-cursor.js';
import type {
  AllOf,
  BinaryOperator,
  Comparison,
  Condition,
  Literal,
  PipedValue,
  UnaryOperator,
  Value,
} from './tree.js';
import { isNumber, parsePipedValue, parseValue } from './value-parser.js';

type Phrase =
  | { words: string[]; kind: 'binary'; operator: BinaryOperator; negated?: boolean }
  | { words: string[]; kind: 'unary'; operator: UnaryOperator; mustEndComparison?: boolean }
  | { words: string[]; kind: 'one of'; negated?: boolean };

/** Longest phrases first; `mustEndComparison` phrases count only if the comparison ends after them. */
const comparisonPhrases: readonly Phrase[] = [
  {
    words: ['is', 'not', 'greater', 'than', 'or', 'equal', 'to'],
    kind: 'binary',
    operator: 'is at least',
    negated: true,
  },
  {
    words: ['is', 'not', 'less', 'than', 'or', 'equal', 'to'],
    kind: 'binary',
    operator: 'is at most',
    negated: true,
  },
  { words: ['is', 'greater', 'than', 'or', 'equal', 'to'], kind: 'binary', operator: 'is at least' },
  { words: ['is', 'less', 'than', 'or', 'equal', 'to'], kind: 'binary', operator: 'is at most' },
  { words: ['is', 'not', 'greater', 'than'], kind: 'binary', operator: 'is greater than', negated: true },
  { words: ['is', 'not', 'less', 'than'], kind: 'binary', operator: 'is less than', negated: true },
  { words: ['is', 'not', 'at', 'least'], kind: 'binary', operator: 'is at least', negated: true },
  { words: ['is', 'not', 'at', 'most'], kind: 'binary', operator: 'is at most', negated: true },
  { words: ['is', 'not', 'equal', 'to'], kind: 'binary', operator: 'is not' },
  { words: ['is', 'not', 'one', 'of'], kind: 'one of', negated: true },
  { words: ['is', 'not', 'empty'], kind: 'unary', operator: 'is not empty', mustEndComparison: true },
  { words: ['is', 'not', 'null'], kind: 'unary', operator: 'is not null', mustEndComparison: true },
  { words: ['is', 'greater', 'than'], kind: 'binary', operator: 'is greater than' },
  { words: ['is', 'less', 'than'], kind: 'binary', operator: 'is less than' },
  { words: ['is', 'at', 'least'], kind: 'binary', operator: 'is at least' },
  { words: ['is', 'at', 'most'], kind: 'binary', operator: 'is at most' },
  { words: ['is', 'equal', 'to'], kind: 'binary', operator: 'is' },
  { words: ['is', 'one', 'of'], kind: 'one of' },
  { words: ['is', 'empty'], kind: 'unary', operator: 'is empty', mustEndComparison: true },
  { words: ['is', 'null'], kind: 'unary', operator: 'is null', mustEndComparison: true },
  { words: ['is', 'not'], kind: 'binary', operator: 'is not' },
  { words: ['is'], kind: 'binary', operator: 'is' },
  { words: ['equals'], kind: 'binary', operator: 'is' },
  { words: ['does', 'not', 'exist'], kind: 'unary', operator: 'does not exist' },
  { words: ['does', 'not', 'contain'], kind: 'binary', operator: 'does not contain' },
  { words: ['does', 'not', 'start', 'with'], kind: 'binary', operator: 'starts with', negated: true },
  { words: ['does', 'not', 'end', 'with'], kind: 'binary', operator: 'ends with', negated: true },
  { words: ['contains'], kind: 'binary', operator: 'contains' },
  { words: ['starts', 'with'], kind: 'binary', operator: 'starts with' },
  { words: ['ends', 'with'], kind: 'binary', operator: 'ends with' },
  { words: ['exists'], kind: 'unary', operator: 'exists' },
];

const contractions: Readonly<Record<string, readonly [string, string]>> = {
  "isn't": ['is', 'not'],
  'isn’t': ['is', 'not'],
  "doesn't": ['does', 'not'],
  'doesn’t': ['does', 'not'],
};

/** Words that authors may write instead of the supported order operators. */
const unsupportedOrderPattern =
  /^(?:(?:more|fewer|bigger|larger|smaller|higher|lower|greater|less)(?: than)?|above|below|over|under|between|before|after) (?:-?\d|the |today$|now$)/i;

/** Parses the whole condition, up to the end of the expression. */
export function parseCondition(cursor: TokenCursor): Condition {
  cursor.split(contractions);
  const conditions = [parseAllOf(cursor)];
  while (acceptConjunction(cursor, 'or')) conditions.push(parseAllOf(cursor));
  const [first] = conditions;
  return conditions.length === 1 && first !== undefined ? first : { kind: 'any', conditions };
}

function parseAllOf(cursor: TokenCursor): AllOf | Comparison {
  const conditions = [parseComparison(cursor)];
  while (acceptConjunction(cursor, 'and')) conditions.push(parseComparison(cursor));
  const [first] = conditions;
  return conditions.length === 1 && first !== undefined ? first : { kind: 'all', conditions };
}

function acceptConjunction(cursor: TokenCursor, word: 'and' | 'or'): boolean {
  if (cursor.atKind('comma') && cursor.at([word], 1)) cursor.advance();
  return cursor.accept(word);
}

function parseComparison(cursor: TokenCursor): Comparison {
  const not = cursor.accept('not');
  if (cursor.atKind('quoted')) {
    cursor.fail('A comparison starts with a value. To compare with several texts, write is one of "a", "b".');
  }
  if (cursor.atKind('word') && !startsOperand(cursor)) {
    cursor.fail(
      'A value was expected: a number, or a name that starts with “the”. To compare with several texts, write ' +
        'is one of "a", "b"; put a text that contains “and” or “or” in quotes.',
    );
  }
  const left = parsePipedValue(cursor, 'condition');
  if (cursor.atKind('comma') && comparisonPhrases.some((phrase) => cursor.at(phrase.words, 1)))
    cursor.advance();
  const phrase = comparisonPhrases.find((candidate) => matches(cursor, candidate));
  if (phrase === undefined) return { kind: 'unary', negated: not, left, operator: 'holds' };
  cursor.advance(phrase.words.length);
  if (phrase.kind === 'unary') return { kind: 'unary', negated: not, left, operator: phrase.operator };
  const negated = not !== (phrase.negated ?? false);
  if (phrase.kind === 'one of') return { kind: 'one of', negated, left, items: parseItems(cursor) };
  return { kind: 'binary', negated, left, operator: phrase.operator, right: parseRightSide(cursor) };
}

function matches(cursor: TokenCursor, phrase: Phrase): boolean {
  if (!cursor.at(phrase.words)) return false;
  return (
    phrase.kind !== 'unary' ||
    phrase.mustEndComparison !== true ||
    endsComparison(cursor, phrase.words.length)
  );
}

/** Whether the token `ahead` positions further no longer belongs to the current comparison. */
function endsComparison(cursor: TokenCursor, ahead = 0): boolean {
  const token = cursor.peek(ahead);
  return token === undefined || token.kind === 'comma' || token.lower === 'and' || token.lower === 'or';
}

function parseItems(cursor: TokenCursor): Value[] {
  const items: Value[] = [parseItem(cursor)];
  for (;;) {
    const comma = cursor.atKind('comma') ? 1 : 0;
    if (cursor.at(['or'], comma) && isItem(cursor, comma + 1)) cursor.advance(comma + 1);
    else if (comma === 1 && !cursor.at(['or'], 1) && !cursor.at(['and'], 1)) cursor.advance();
    else return items;
    items.push(parseItem(cursor));
  }
}

/** Whether the text after an `or` continues the list, and no comparison starts there. */
function isItem(cursor: TokenCursor, ahead: number): boolean {
  if (cursor.atKind('quoted', ahead)) return true;
  if (!cursor.atKind('word', ahead) || cursor.at(['not'], ahead)) return false;
  return !startsOperand(cursor, ahead) || (isNumber(cursor, ahead) && endsComparison(cursor, ahead + 1));
}

function startsOperand(cursor: TokenCursor, ahead = 0): boolean {
  return isNumber(cursor, ahead) || ['the', 'today', 'now'].some((word) => cursor.at([word], ahead));
}

function parseItem(cursor: TokenCursor): Value {
  return parseLiteral(cursor) ?? parseValue(cursor, 'condition');
}

function parseRightSide(cursor: TokenCursor): PipedValue {
  const literal = parseLiteral(cursor);
  if (literal !== null) return { value: literal, modifiers: [] };
  if (cursor.at(['the'])) return parsePipedValue(cursor, 'condition');
  return { value: parseValue(cursor, 'condition'), modifiers: [] };
}

/** A quoted text, true, false or bare words; null if there is a value at this position. */
function parseLiteral(cursor: TokenCursor): Literal | null {
  const quoted = cursor.acceptKind('quoted');
  if (quoted !== null) return { kind: 'text', text: quoted };
  if (endsComparison(cursor)) cursor.fail('A value to compare with was expected here.');
  if (endsComparison(cursor, 1)) {
    if (cursor.accept('true')) return { kind: 'boolean', value: true };
    if (cursor.accept('false')) return { kind: 'boolean', value: false };
  }
  return startsValue(cursor) ? null : { kind: 'text', text: parseBareWords(cursor) };
}

function startsValue(cursor: TokenCursor): boolean {
  if (cursor.at(['the'])) return cursor.atKind('word', 1) || cursor.atKind('quoted', 1);
  const isStandalone = endsComparison(cursor, 1);
  if (cursor.at(['today']) || cursor.at(['now'])) return isStandalone;
  return isNumber(cursor) && (isStandalone || startsArithmetic(cursor));
}

function startsArithmetic(cursor: TokenCursor): boolean {
  const operator = [['plus'], ['minus'], ['times'], ['modulo'], ['divided', 'by']].find((words) =>
    cursor.at(words, 1),
  );
  if (operator === undefined) return false;
  const operand = operator.length + 1;
  return isNumber(cursor, operand) || cursor.at(['the'], operand);
}

function parseBareWords(cursor: TokenCursor): string {
  const first = cursor.peek()?.text ?? '';
  if (/^[=<>!]+$/.test(first)) {
    cursor.fail(`“${first}” is not allowed here: write “is”, “is not”, “is greater than” and so on.`);
  }
  const start = cursor.offset;
  let text = '';
  while (!endsComparison(cursor)) {
    const token = cursor.peek();
    if (token === undefined || token.kind === 'quoted') break;
    text += text !== '' && token.spaced ? ` ${token.text}` : token.text;
    cursor.advance();
  }
  if (unsupportedOrderPattern.test(text)) {
    cursor.fail(
      `“${text}” is not a comparison: write “is greater than”, “is less than”, “is at least” or “is at most”, ` +
        'or put a text in quotes.',
      start,
    );
  }
  return text;
}
