/**
 * Parses names and paths: words up to the next keyword, parts joined by `'s` or a dot.
 *
 * Edge cases:
 * - The first word is always part of the name, so `the user's Is Premium` and `the Times Ordered` work.
 * - A name with a keyword after its first word is quoted: `the user's "Terms and Conditions"`. `is`, `and`, `or` and
 *   the other comparison words end a name only inside a condition; `plus`, `minus`, `times`, `divided by`, `modulo` and
 *   `from the` always end it.
 * - A lone sign (`+`, `>`, `=`) in a name is an error, since the author surely meant an operation.
 */
import type { TokenCursor } from './token-cursor.js';

/** Where a name appears: conditions and loop heads have additional keywords that end it. */
export type NameSetting = 'output' | 'condition' | 'loop variable';

const commonTerminators = [['plus'], ['minus'], ['times'], ['modulo'], ['divided', 'by'], ['from', 'the']];
const conditionTerminators = [
  ['is'],
  ['exists'],
  ['contains'],
  ['equals'],
  ['and'],
  ['or'],
  ['does', 'not'],
  ['starts', 'with'],
  ['ends', 'with'],
];
const nameTerminators: Record<NameSetting, readonly (readonly string[])[]> = {
  output: commonTerminators,
  condition: [...commonTerminators, ...conditionTerminators],
  'loop variable': [['in']],
};
const signPattern = /^(?:[-+*/%=<>]|==|!=|<>|<=|>=|&&|\|\||=<|=>)$/;

/** Whether a keyword or the end of the expression ends a name here. */
function endsName(cursor: TokenCursor, setting: NameSetting): boolean {
  return !cursor.atKind('word') || nameTerminators[setting].some((phrase) => cursor.at(phrase));
}

/** Parses one name: a quoted text, or words separated by single spaces. `what` describes it in the error. */
export function parseName(cursor: TokenCursor, setting: NameSetting, what: string): string {
  const quoted = cursor.peek();
  if (quoted?.kind === 'quoted') {
    if (quoted.text.trim() === '') cursor.fail(`The name of ${what} is empty.`);
    cursor.advance();
    return quoted.text;
  }
  const start = cursor.offset;
  let name = '';
  while (name === '' ? cursor.atKind('word') : !endsName(cursor, setting)) {
    const word = cursor.peek()?.text ?? '';
    if (signPattern.test(word)) {
      cursor.fail(
        `“${word}” is not allowed here: write operations in words, such as “plus” or “is greater than”.`,
      );
    }
    name += name === '' ? word : ` ${word}`;
    cursor.advance();
  }
  if (name === '') cursor.fail(`The name of ${what} is missing.`);
  if (/ from trigger event$/i.test(name)) cursor.fail('Write “from the trigger event”.', start);
  return name;
}

/** Parses a path such as `Address's City` or `address.city`; at least one part. */
export function parsePath(cursor: TokenCursor, setting: NameSetting, what: string): string[] {
  const path = [parseName(cursor, setting, what)];
  while (cursor.atKind('possessive') || cursor.atKind('dot')) {
    cursor.advance();
    path.push(parseName(cursor, setting, what));
  }
  return path;
}

const keywords = new Set(
  Object.values(nameTerminators).flatMap((phrases) => phrases.map(([first]) => first ?? '')),
);

/** Whether `name`, written without quotes, is parsed as the same name in every setting. */
export function isPlainName(name: string): boolean {
  if (/^the /i.test(name)) return false;
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_-]*(?: [\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u.test(name)) return false;
  const [, ...later] = name.toLowerCase().split(' ');
  return !later.some((word) => keywords.has(word));
}
