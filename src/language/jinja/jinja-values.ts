/**
 * Converts Jinja2's values to NLT's (specification section 4.3).
 *
 * Edge cases, where the meaning differs slightly:
 * - `a or b` becomes `a, otherwise b`, like `default(b, true)`: 0 and false are replaced too. NLT's `or` is `a if a or
 *   a == 0 else b`.
 * - A missing or null value shows nothing in NLT; Python shows None for null. True and False show as true and false,
 *   2.0 as 2, lists with commas. Arithmetic is exact in NLT, so 0.1 + 0.2 shows 0.3.
 * - `a // b` is a division rounded down and cannot be part of a sum. `+` of texts is not arithmetic: see
 *   jinja-output.ts.
 */
import { TEXT_FIELDS } from '../../kernel/contact-fields.js';
import { foldName } from '../nlt/name-lookup.js';
import type { Literal, Modifier, Operand, PipedValue, Value } from '../nlt/tree.js';
import { arithmeticOf } from './jinja-arithmetic.js';
import {
  fallbackFor,
  givesText,
  preservesText,
  type ModifierState,
  textIn,
  withFilter,
} from './jinja-filters.js';
import { pathOf, referenceOf, shortFormOf } from './jinja-references.js';
import type { LoopScope } from '../nlt/loop-scope.js';
import type { JinjaArithmetic, JinjaChoice, JinjaExpression, JinjaItem, JinjaName } from './jinja-tree.js';
import { unconvertible } from './conversion.js';

const TEXT_FIELD_NAMES: ReadonlySet<string> = new Set(TEXT_FIELDS.map(foldName));

type ConvertedValue = ModifierState & { readonly value: Value };

/** A value with its modifiers, or a literal; never arithmetic with a text. @throws Unconvertible */
export function pipedOf(expression: JinjaExpression, scope: LoopScope): PipedValue {
  const { value, modifiers } = convertValue(expression, scope);
  if (modifiers.length > 0 && (value.kind === 'text' || value.kind === 'boolean')) {
    unconvertible('NLT has no modifiers for quoted text');
  }
  return { value, modifiers };
}

function convertValue(expression: JinjaExpression, scope: LoopScope): ConvertedValue {
  switch (expression.kind) {
    case 'name':
    case 'item':
      return namedOf(expression, scope);
    case 'filter': {
      const short = shortFormOf(expression, scope);
      if (short !== null) return plain(short);
      const { value, ...before } = convertValue(expression.target, scope);
      const after = withFilter(before, expression, (fallback) => operandOf(fallback, scope));
      return { value, ...after };
    }
    case 'negative':
      return plain(arithmeticOf(expression, (operand) => numericOf(operand, scope)));
    case 'sum':
    case 'product':
      return calculated(expression, scope);
    case 'or':
      return alternatives(expression.operands, scope);
    case 'choice':
      return fallbackOf(expression, scope);
    default:
      return plain(literalOf(expression));
  }
}

function plain(value: Value, modifiers: readonly Modifier[] = []): ConvertedValue {
  return { value, modifiers, escaped: false, isText: isTextField(value) };
}

/** Whether a value is a text field of the contact's record: null if unknown, never false or 0. */
export function isTextField(value: Value): boolean {
  if (value.kind !== 'reference' || value.source !== 'contact' || value.path.length !== 1) return false;
  return TEXT_FIELD_NAMES.has(foldName(value.path[0] ?? ''));
}

function namedOf(expression: JinjaName | JinjaItem, scope: LoopScope): ConvertedValue {
  if (isLastEntry(expression)) {
    const { value, modifiers } = convertValue(expression.target, scope);
    return plain(value, [...modifiers, { kind: 'last' }]);
  }
  const path = pathOf(expression);
  if (path === null) return unconvertible('NLT can only access values by fixed names');
  return plain(referenceOf(path, scope));
}

function isLastEntry(expression: JinjaName | JinjaItem): expression is JinjaItem {
  return expression.kind === 'item' && expression.key.kind === 'number' && expression.key.digits === '-1';
}

function calculated(expression: JinjaArithmetic, scope: LoopScope): ConvertedValue {
  const read = (operand: JinjaExpression): Operand => numericOf(operand, scope);
  if (expression.kind === 'product') {
    const { first, rest } = expression;
    const last = rest.at(-1);
    if (last?.operator === '//') {
      const division = { operator: '/', value: last.value } as const;
      const value = arithmeticOf({ kind: 'product', first, rest: [...rest.slice(0, -1), division] }, read);
      return plain(value, [{ kind: 'rounded', mode: 'down', digits: 0 }]);
    }
  }
  return plain(arithmeticOf(expression, read));
}

function alternatives([first, ...rest]: readonly JinjaExpression[], scope: LoopScope): ConvertedValue {
  if (first === undefined) return unconvertible('nothing precedes “or”');
  const { value, modifiers, escaped, isText } = convertValue(first, scope);
  const fallbacks: Modifier[] = [];
  for (const operand of rest) {
    if (operand.kind === 'list' && operand.items.length === 0) continue;
    const before = [...modifiers, ...fallbacks];
    const isNeverZero = givesText(before.at(-1)) || (isText && before.every(preservesText));
    fallbacks.push(fallbackFor(operandOf(operand, scope), !isNeverZero));
  }
  return { value, modifiers: [...modifiers, ...fallbacks], escaped, isText };
}

/** `value if value or value == 0 else otherwise`, the equivalent of NLT's `or`. */
export function fallbackChoice(value: JinjaExpression, otherwise: JinjaExpression | null): JinjaChoice {
  const zero: JinjaExpression = { kind: 'number', digits: '0' };
  const isZero: JinjaExpression = {
    kind: 'comparison',
    first: value,
    rest: [{ operator: '==', value: zero }],
  };
  return { kind: 'choice', condition: { kind: 'or', operands: [value, isZero] }, chosen: value, otherwise };
}

/** Whether a choice is equivalent to NLT's `or`. */
export function isFallbackChoice({ condition, chosen, otherwise }: JinjaChoice): boolean {
  const expected = fallbackChoice(chosen, otherwise).condition;
  return otherwise !== null && JSON.stringify(condition) === JSON.stringify(expected);
}

/** @throws Unconvertible for a choice that is not a fallback */
function fallbackOf(choice: JinjaChoice, scope: LoopScope): ConvertedValue {
  const { chosen, otherwise } = choice;
  if (otherwise === null || !isFallbackChoice(choice)) return unconvertible('NLT has no conditions here');
  const { value, modifiers, escaped, isText } = convertValue(chosen, scope);
  const rest = convertValue(otherwise, scope);
  const orModifier: Modifier = { kind: 'or', fallback: asOperand(rest.value) };
  if (!rest.modifiers.every(({ kind }) => kind === 'or'))
    return unconvertible('NLT only accepts a plain value here');
  return { value, modifiers: [...modifiers, orModifier, ...rest.modifiers], escaped, isText };
}

function asOperand(value: Value): Operand {
  return value.kind === 'sum' || value.kind === 'product'
    ? unconvertible('NLT only accepts a plain value here')
    : value;
}

/** A value without modifiers and arithmetic, as NLT's `or` and `is one of` require. @throws Unconvertible */
export function operandOf(expression: JinjaExpression, scope: LoopScope): Operand {
  const { value, modifiers } = convertValue(expression, scope);
  if (modifiers.length > 0 || value.kind === 'sum' || value.kind === 'product') {
    return unconvertible('NLT only accepts a plain value here');
  }
  return value;
}

/** An operand of arithmetic: a number or a name. */
function numericOf(expression: JinjaExpression, scope: LoopScope): Operand {
  const { value, modifiers } = convertValue(expression, scope);
  if (modifiers.length > 0) return unconvertible('NLT has no modifiers inside calculations');
  if (value.kind === 'reference' || value.kind === 'number') return value;
  return unconvertible('NLT can only calculate with numbers and named values');
}

function literalOf(expression: JinjaExpression): Literal {
  switch (expression.kind) {
    case 'text':
      return { kind: 'text', text: textIn(expression) };
    case 'number':
    case 'boolean':
      return expression;
    case 'none':
      return unconvertible('NLT has no “none” here');
    case 'call':
      return unconvertible('NLT has no functions');
    case 'list':
      return unconvertible('NLT has no list literals');
    case 'foreign':
      return unconvertible(`${expression.what} has no equivalent in NLT`);
    case 'concatenation':
      return unconvertible('NLT cannot concatenate texts here');
    default:
      return unconvertible('NLT has no conditions here');
  }
}

/** Whether an NLT expression may start with `value`. */
export function beginsWithName(value: Value): boolean {
  if (value.kind === 'sum' || value.kind === 'product') return beginsWithName(value.first);
  return value.kind === 'reference';
}
