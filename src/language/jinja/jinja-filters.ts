/**
 * Converts Jinja2's filters to NLT's modifiers (specification section 4.3).
 *
 * Edge cases:
 * - `default` becomes `or`, which also replaces null and empty. With `true` it becomes `otherwise`, which also replaces
 *   false and 0, or `or` after a value that is a text. `default([])` is dropped, since a loop over a missing list does
 *   nothing anyway.
 * - `length` of a missing value is 0 in Jinja2, so it is `count, or 0`.
 * - `escape` is dropped, since NLT escapes automatically; of `escape` and `safe` the first one applies.
 * - `round` rounds halves away from zero in NLT, to the even neighbour in Python, and gives 3, not 3.0. `int` is
 *   supported only after a whole number; `string` is dropped.
 * - `date` takes NLT's formats and the usual strftime directives; `currency`, `number` and `percent` are Intl's.
 */
import { canonicalFormat } from '../nlt/format-names.js';
import type { LetterCase, Modifier, Operand } from '../nlt/tree.js';
import { datePatternOf } from './strftime.js';
import type { JinjaArgument, JinjaExpression, JinjaFilter } from './jinja-tree.js';
import { unconvertible } from './conversion.js';

/** The modifiers of a value so far. `escaped`: it has been escaped, so a later `safe` has no effect. */
export interface ModifierState {
  readonly modifiers: readonly Modifier[];
  readonly escaped: boolean;
  /** Whether the value without its modifiers is a text or missing, so neither false nor 0. */
  readonly isText: boolean;
}

/** Parses the fallback value of `or`. @throws Unconvertible */
export type ReadFallback = (expression: JinjaExpression) => Operand;

const letterCases: Readonly<Record<string, LetterCase>> = {
  upper: 'uppercase',
  lower: 'lowercase',
  title: 'titlecase',
  capitalize: 'capitalized',
};

const roundings: Readonly<Record<string, 'nearest' | 'up' | 'down'>> = {
  common: 'nearest',
  ceil: 'up',
  floor: 'down',
};

/** Appends the modifiers for `filter`. @throws Unconvertible */
export function withFilter(
  before: ModifierState,
  filter: JinjaFilter,
  readFallback: ReadFallback,
): ModifierState {
  const { name } = filter;
  if (name === 'e' || name === 'escape') return { ...before, escaped: true };
  if (name === 'safe' && (before.escaped || isHtml(before.modifiers))) return before;
  const isText = before.isText && before.modifiers.every(preservesText);
  const added = modifiersOf(filter, before.modifiers, readFallback, isText);
  return { ...before, modifiers: [...before.modifiers, ...added] };
}

/** Whether a modifier keeps the value a text, or missing. */
export function preservesText(modifier: Modifier): boolean {
  if (modifier.kind === 'or') return modifier.fallback.kind === 'text';
  return givesText(modifier) || ['as', 'first', 'last', 'required'].includes(modifier.kind);
}

function isHtml(modifiers: readonly Modifier[]): boolean {
  return modifiers.some((modifier) => modifier.kind === 'as' && modifier.format === 'html');
}

function modifiersOf(
  filter: JinjaFilter,
  before: readonly Modifier[],
  readFallback: ReadFallback,
  isText: boolean,
): readonly Modifier[] {
  const { name } = filter;
  const letterCase = Object.hasOwn(letterCases, name) ? letterCases[name] : undefined;
  if (letterCase !== undefined) {
    readArguments(filter, []);
    return [{ kind: 'case', letterCase }];
  }
  switch (name) {
    case 'default':
    case 'd':
      return fallbackOf(filter, before, readFallback, isText);
    case 'trim':
      readArguments(filter, []);
      return [{ kind: 'trimmed' }];
    case 'round':
      return [roundingOf(filter)];
    case 'int':
    case 'string':
      readArguments(filter, []);
      if (name === 'int' && !isWhole(before.at(-1)))
        unconvertible('NLT only has a filter “int” after “round”');
      return [];
    case 'length':
    case 'count':
      readArguments(filter, []);
      return [{ kind: 'count' }, { kind: 'or', fallback: { kind: 'number', digits: '0' } }];
    case 'first':
    case 'last':
      readArguments(filter, []);
      return [{ kind: name }];
    case 'join': {
      const [separator] = readArguments(filter, ['d']);
      return [{ kind: 'joined', separator: separator === undefined ? '' : textIn(separator) }];
    }
    case 'replace':
      return [replacementOf(filter)];
    case 'safe':
      readArguments(filter, []);
      return [{ kind: 'as', format: 'html' }];
    case 'currency':
    case 'number':
    case 'percent':
    case 'date':
      return [{ kind: 'as', format: formatOf(filter) }];
    default:
      return unconvertible(`the filter “${name}” has no equivalent in NLT`);
  }
}

/** The arguments in the order of `names`; keyword arguments must have these names. */
function readArguments(
  { name, args }: JinjaFilter,
  names: readonly string[],
): (JinjaExpression | undefined)[] {
  const values: (JinjaExpression | undefined)[] = names.map(() => undefined);
  args.forEach((argument: JinjaArgument, index) => {
    const position = argument.name === null ? index : names.indexOf(argument.name);
    if (position < 0 || position >= names.length)
      unconvertible(`NLT has no such argument of the filter “${name}”`);
    values[position] = argument.value;
  });
  return values;
}

function fallbackOf(
  filter: JinjaFilter,
  before: readonly Modifier[],
  readFallback: ReadFallback,
  isText: boolean,
): readonly Modifier[] {
  const [fallback, empty] = readArguments(filter, ['default_value', 'boolean']);
  if (empty !== undefined && empty.kind !== 'boolean') unconvertible('NLT has no such argument of “default”');
  if (fallback?.kind === 'list' && fallback.items.length === 0) return [];
  const operand = readFallback(fallback ?? { kind: 'text', text: '' });
  if (isHtml(before) && !(operand.kind === 'text' && isPlain(operand.text))) {
    unconvertible('in NLT the fallback after “safe” would not be escaped');
  }
  return [fallbackFor(operand, isTrue(empty) && !(isText || givesText(before.at(-1))))];
}

function isTrue(argument: JinjaExpression | undefined): boolean {
  return argument?.kind === 'boolean' && argument.value;
}

/** Whether the result of a modifier is a text, so neither false nor 0. */
export function givesText(modifier: Modifier | undefined): boolean {
  switch (modifier?.kind) {
    case 'case':
    case 'trimmed':
    case 'replacing':
    case 'joined':
      return true;
    case 'as':
      return modifier.format !== 'html';
    default:
      return false;
  }
}

/** @param isFalsy whether it also replaces false and 0. */
export function fallbackFor(fallback: Operand, isFalsy: boolean): Modifier {
  return isFalsy ? { kind: 'or', fallback, isFalsy } : { kind: 'or', fallback };
}

/** Whether a text looks the same escaped and unescaped. */
export function isPlain(text: string): boolean {
  return !/[&<>"']/.test(text);
}

function roundingOf(filter: JinjaFilter): Modifier {
  const [digits, method] = readArguments(filter, ['precision', 'method']);
  if (digits !== undefined && (digits.kind !== 'number' || !/^(?:1?\d|20)$/.test(digits.digits))) {
    unconvertible('NLT rounds to 0 to 20 digits');
  }
  const mode = method === undefined ? 'nearest' : roundings[textIn(method)];
  if (mode === undefined) unconvertible('NLT has no such rounding mode');
  return { kind: 'rounded', mode, digits: digits === undefined ? 0 : Number(digits.digits) };
}

/** Whether the result of a modifier is a whole number. */
function isWhole(modifier: Modifier | undefined): boolean {
  if (modifier?.kind === 'rounded') return modifier.digits === 0;
  return modifier?.kind === 'or' && modifier.fallback.kind === 'number' && modifier.fallback.digits === '0';
}

function replacementOf(filter: JinjaFilter): Modifier {
  const [search, replacement] = readArguments(filter, ['old', 'new']);
  if (search === undefined || replacement === undefined) return unconvertible('“replace” needs two texts');
  if (textIn(search) === '') unconvertible('NLT cannot replace an empty text');
  return { kind: 'replacing', search: textIn(search), replacement: textIn(replacement) };
}

function formatOf(filter: JinjaFilter): string {
  const [argument] = readArguments(
    filter,
    filter.name === 'date' || filter.name === 'currency' ? ['format'] : [],
  );
  if (argument === undefined) return filter.name;
  const written = textIn(argument);
  if (filter.name === 'date') {
    const format = written.includes('%') ? datePatternOf(written) : canonicalFormat(written);
    if (format !== null && format !== 'html' && !/^(?:currency|number|percent)/.test(format)) return format;
  } else {
    const format = canonicalFormat(`currency ${written}`);
    if (format?.startsWith('currency ')) return format;
  }
  return unconvertible(`NLT has no format “${written}”`);
}

/** The text of an argument. NLT parses a no-break space in quotes as a space. */
export function textIn(expression: JinjaExpression): string {
  if (expression.kind !== 'text') return unconvertible('NLT needs a text in quotes here');
  if (expression.text.includes('\u00a0')) unconvertible('NLT has no non-breaking space in quotes');
  return expression.text;
}
