/**
 * Converts NLT's values to Jinja2 (specification section 4.3: convert).
 *
 * Edge cases:
 * - The short form checks the trigger event, then the contact: `event.x | default(contact.properties.x)`.
 * - A division that is rounded down is `//`, which gives 3 where `round` gives 3.0; other roundings to whole numbers
 *   end in `int`.
 * - `otherwise` is `default(…, true)`. `or` keeps false and 0: it is also `default(…, true)` after a value that is a
 *   text, and `x if x or x == 0 else …` after any other value.
 * - Null is missing in NLT and a value in Jinja2: `exists` is `x | default(none) is not none`.
 * - `count` of a missing value is missing, `length` of one is 0: if the result differs, the expression first tests
 *   whether the value exists.
 * - Formats, `today` and `now` are filters and names of Waypost, which standard Jinja2 does not have.
 * - `as "html"` applies to the whole value at any position, so `safe` comes last.
 */
import { foldName } from '../nlt/name-lookup.js';
import { givesText, preservesText } from './jinja-filters.js';
import { fallbackChoice, isTextField } from './jinja-values.js';
import { plainDigitsOf } from '../nlt/numeric.js';
import type { Modifier, Operand, PipedValue, Reference, Value } from '../nlt/tree.js';
import { contactItem, eventItem, itemAt, triggerItem } from './jinja-names.js';
import { orNone } from './jinja-presence.js';
import type { JinjaArgument, JinjaExpression } from './jinja-tree.js';

/** An enclosing loop; `variable` is its name in Jinja2, null if the loop stays in NLT. */
export interface Loop {
  readonly name: string;
  readonly variable: string | null;
}

/** The loops in scope, outermost first. */
export type Loops = readonly Loop[];

/** Thrown if Jinja2 has no counterpart; `what` names the feature. */
export class NoCounterpartError extends Error {
  constructor(readonly what: string) {
    super(what);
  }
}

const CASES = { uppercase: 'upper', lowercase: 'lower', titlecase: 'title', capitalized: 'capitalize' };
/** Formats with their own filter; the others are arguments. */
const PLAIN_FORMATS = ['currency', 'number', 'percent', 'date'];
const ROUNDING = { down: 'floor', up: 'ceil' };

/** The expression that outputs a value. @throws NoCounterpartError */
export function outputOf(piped: PipedValue, loops: Loops): JinjaExpression {
  const counted = countedOf(piped, loops);
  if (counted !== null) return counted;
  const expression = pipedOf(piped, loops);
  const isTags = piped.modifiers.length === 0 && isContactsTags(piped.value);
  return shown(isTags ? filter(expression, 'join', [text(', ')]) : expression, piped.modifiers);
}

function shown(expression: JinjaExpression, modifiers: readonly Modifier[]): JinjaExpression {
  const asHtml = modifiers.some((modifier) => modifier.kind === 'as' && modifier.format === 'html');
  return asHtml ? filter(expression, 'safe') : expression;
}

/** The list of a loop. @throws NoCounterpartError */
export function listOf(piped: PipedValue, loops: Loops): JinjaExpression {
  if (piped.value.kind !== 'reference') throw new NoCounterpartError('a loop over a number or a date');
  // Neither false nor 0 is a list.
  const modifiers = piped.modifiers.map((modifier): Modifier =>
    modifier.kind === 'or' ? { ...modifier, isFalsy: true } : modifier,
  );
  return pipedOf({ ...piped, modifiers }, loops);
}

/** A value with its modifiers, in any position. @throws NoCounterpartError */
export function pipedOf({ value, modifiers }: PipedValue, loops: Loops): JinjaExpression {
  const count = bareCount(modifiers);
  if (count >= 0 && modifiers.slice(count).some(({ kind }) => kind === 'or'))
    throw new NoCounterpartError('this fallback of a count');
  const significant = modifiers.filter((_modifier, index) => !isZeroOfCount(modifiers, index));
  const quotient = isRoundedDown(significant[0]) ? quotientOf(value, loops) : null;
  const start = quotient ?? valueOf(value, loops);
  const isText = quotient === null && isTextField(value);
  return withModifiers(start, quotient === null ? significant : significant.slice(1), isText, loops);
}

function withModifiers(
  start: JinjaExpression,
  modifiers: readonly Modifier[],
  isTextField: boolean,
  loops: Loops,
): JinjaExpression {
  let expression = start;
  let isText = isTextField;
  for (let index = 0; index < modifiers.length; index++) {
    const modifier = modifiers[index] as Modifier;
    const isNeverZero = isText || givesText(modifiers[index - 1]);
    isText = (isText || givesText(modifier)) && preservesText(modifier);
    if (modifier.kind !== 'or' || modifier.isFalsy === true || isNeverZero) {
      expression = modified(expression, modifier, loops);
      continue;
    }
    const end = modifiers.findIndex((next, at) => at > index && !isPlainFallback(next));
    const row = modifiers.slice(index, end < 0 ? undefined : end).filter(isPlainFallback);
    expression = chosen(expression, firstOf(row.map(({ fallback }) => valueOf(fallback, loops))));
    index += row.length - 1;
  }
  return expression;
}

type Fallback = Extract<Modifier, { kind: 'or' }>;

function isPlainFallback(modifier: Modifier): modifier is Fallback {
  return modifier.kind === 'or' && modifier.isFalsy !== true;
}

/** The first of several fallbacks that is not empty. */
function firstOf(fallbacks: readonly JinjaExpression[]): JinjaExpression {
  const [first, ...rest] = fallbacks;
  if (first === undefined) return text('');
  if (rest.length === 0 || first.kind === 'number' || first.kind === 'boolean') return first;
  if (first.kind === 'text') return first.text.trim() === '' ? firstOf(rest) : first;
  return chosen(first, firstOf(rest));
}

/**
 * The equivalent of NLT's `or`: neither false nor 0 is replaced.
 * @throws NoCounterpartError for nested ones, which would grow too long
 */
function chosen(value: JinjaExpression, otherwise: JinjaExpression): JinjaExpression {
  if (holdsChoice(value)) throw new NoCounterpartError('these fallbacks in a row');
  return fallbackChoice(value, otherwise);
}

function holdsChoice(expression: JinjaExpression): boolean {
  if (expression.kind === 'choice') return true;
  return (expression.kind === 'filter' || expression.kind === 'item') && holdsChoice(expression.target);
}

function isRoundedDown(modifier: Modifier | undefined): boolean {
  return modifier?.kind === 'rounded' && modifier.mode === 'down' && modifier.digits === 0;
}

/** `a // b` for a division that is rounded down; null for any other value. */
function quotientOf(value: Value, loops: Loops): JinjaExpression | null {
  if (value.kind !== 'product' || value.rest.at(-1)?.operator !== 'divided by') return null;
  const division = valueOf(value, loops);
  if (division.kind !== 'product') return null;
  const rest = division.rest.map((part, index, all) => {
    return index === all.length - 1 ? { ...part, operator: '//' as const } : part;
  });
  return { ...division, rest };
}

/** Whether `or 0` follows a `count`: together they are `length`. */
function isZeroOfCount(modifiers: readonly Modifier[], index: number): boolean {
  const modifier = modifiers[index];
  if (modifiers[index - 1]?.kind !== 'count' || modifier?.kind !== 'or') return false;
  return modifier.fallback.kind === 'number' && Number(modifier.fallback.digits) === 0;
}

/** Lists show their entries in NLT and Python's notation in Jinja2. */
function isContactsTags(value: Value): boolean {
  return (
    value.kind === 'reference' && value.source === 'contact' && foldName(value.path.join('.')) === 'tags'
  );
}

function modified(value: JinjaExpression, modifier: Modifier, loops: Loops): JinjaExpression {
  switch (modifier.kind) {
    case 'or':
      return filter(value, 'default', [valueOf(modifier.fallback, loops), TRUE]);
    case 'required':
      throw new NoCounterpartError('“required”');
    case 'as':
      return formatted(value, modifier.format);
    case 'case':
      return filter(value, CASES[modifier.letterCase]);
    case 'trimmed':
      return filter(value, 'trim');
    case 'replacing':
      return filter(value, 'replace', [text(modifier.search), text(modifier.replacement)]);
    case 'rounded': {
      const { mode, digits } = modifier;
      const method = mode === 'nearest' ? [] : [text(ROUNDING[mode])];
      const precision = digits === 0 && mode === 'nearest' ? [] : [numberOf(String(digits))];
      const rounded = filter(value, 'round', [...precision, ...method]);
      // Python's 3.0 is 3 in NLT.
      return digits === 0 ? filter(rounded, 'int') : rounded;
    }
    case 'count':
      return filter(value, 'length');
    case 'first':
    case 'last':
      return filter(value, modifier.kind);
    case 'joined':
      return filter(value, 'join', [text(modifier.separator)]);
  }
}

function formatted(value: JinjaExpression, format: string): JinjaExpression {
  if (format === 'html') return value;
  if (PLAIN_FORMATS.includes(format)) return filter(value, format);
  const currency = /^currency (.*)$/.exec(format)?.[1];
  return currency === undefined
    ? filter(value, 'date', [text(format)])
    : filter(value, 'currency', [text(currency)]);
}

/** An output of a count that distinguishes missing from empty; null for all other outputs. */
function countedOf({ value, modifiers }: PipedValue, loops: Loops): JinjaExpression | null {
  const index = bareCount(modifiers);
  if (index < 0) return null;
  const [next] = modifiers.slice(index + 1);
  const isFallbackLast = next?.kind === 'or' && modifiers.length === index + 2;
  const counted = isFallbackLast ? modifiers.slice(0, -1) : modifiers;
  return {
    kind: 'choice',
    condition: isDefined({ value, modifiers: modifiers.slice(0, index) }, loops),
    chosen: shown(pipedOf({ value, modifiers: counted }, loops), modifiers),
    otherwise: isFallbackLast ? shownOperand(next.fallback, modifiers, loops) : null,
  };
}

/** A fallback that is shown alone, formatted as in NLT. */
function shownOperand(operand: Operand, modifiers: readonly Modifier[], loops: Loops): JinjaExpression {
  if (operand.kind === 'boolean') return text(String(operand.value));
  if (operand.kind === 'text' && /[&<>"'{]/.test(operand.text))
    throw new NoCounterpartError('this fallback of a count');
  const expression = operandOf(operand, loops);
  return operand.kind === 'reference' ? shown(expression, modifiers) : expression;
}

/** The index of a `count` without a following `or 0`, or -1. @throws NoCounterpartError for several */
export function bareCount(modifiers: readonly Modifier[]): number {
  const index = modifiers.findLastIndex(({ kind }) => kind === 'count');
  if (modifiers.findIndex(({ kind }) => kind === 'count') < index)
    throw new NoCounterpartError('a count of a count');
  return isZeroOfCount(modifiers, index + 1) ? -1 : index;
}

/** A value without modifiers. @throws NoCounterpartError */
export function valueOf(value: Value, loops: Loops): JinjaExpression {
  switch (value.kind) {
    case 'sum':
      return {
        kind: 'sum',
        first: valueOf(value.first, loops),
        rest: value.rest.map((part) => ({
          operator: part.operator === 'plus' ? '+' : '-',
          value: valueOf(part.value, loops),
        })),
      };
    case 'product':
      return {
        kind: 'product',
        first: valueOf(value.first, loops),
        rest: value.rest.map((part) => ({
          operator: ({ times: '*', 'divided by': '/', modulo: '%' } as const)[part.operator],
          value: valueOf(part.value, loops),
        })),
      };
    default:
      return operandOf(value, loops);
  }
}

function operandOf(operand: Operand, loops: Loops): JinjaExpression {
  switch (operand.kind) {
    case 'reference':
      return referenceOf(operand, loops);
    case 'number':
      return numberOf(operand.digits);
    case 'moment':
      return { kind: 'name', name: operand.name };
    default:
      return operand;
  }
}

function referenceOf({ source, event, path }: Reference, loops: Loops): JinjaExpression {
  if (source === 'contact') return contactItem(path);
  if (source === 'trigger') return triggerItem(path);
  if (source === 'event') return eventItem(event ?? '', path);
  const [first = '', ...rest] = path;
  const loop = loops.findLast(({ name }) => foldName(name) === foldName(first));
  if (loop === undefined) return filter(triggerItem(path), 'default', [contactItem(path)]);
  if (loop.variable === null) throw new NoCounterpartError(`“the ${first}” of a loop that is not converted`);
  return itemAt({ kind: 'name', name: loop.variable }, rest);
}

function numberOf(digits: string): JinjaExpression {
  return { kind: 'number', digits: plainDigitsOf(digits) ?? digits };
}

/**
 * Whether a value exists and is not null, which is one test in NLT and two in Jinja2. Trailing modifiers that do not
 * change whether a value exists are ignored. @throws NoCounterpartError
 */
export function isDefined({ value, modifiers }: PipedValue, loops: Loops, negated = false): JinjaExpression {
  const count = bareCount(modifiers);
  if (count >= 0 && modifiers.slice(count).every(({ kind }) => kind !== 'or'))
    return isDefined({ value, modifiers: modifiers.slice(0, count) }, loops, negated);
  const lastSignificant = modifiers.findLastIndex(({ kind }) =>
    ['or', 'required', 'first', 'last'].includes(kind),
  );
  const target = pipedOf({ value, modifiers: modifiers.slice(0, lastSignificant + 1) }, loops);
  return { kind: 'test', target: orNone(target), name: 'none', args: [], negated: !negated };
}

const TRUE: JinjaExpression = { kind: 'boolean', value: true };

function text(written: string): JinjaExpression {
  return { kind: 'text', text: written };
}

function filter(
  target: JinjaExpression,
  name: string,
  values: readonly JinjaExpression[] = [],
): JinjaExpression {
  const args = values.map((value): JinjaArgument => ({ name: null, value }));
  return { kind: 'filter', target, name, args };
}
