/**
 * Converts NLT's conditions to Jinja2 (specification section 4.3: convert).
 *
 * Edge cases:
 * - `is empty` is false for 0 and false, for which Jinja2's `not x` is true.
 * - A count of a missing value is missing in NLT and 0 in Jinja2: if the result differs, the condition first tests
 *   whether the value exists.
 * - `is one of` with a single named value treats that as a list.
 */
import type { BinaryOperator, Comparison, Condition, PipedValue, UnaryOperator } from '../nlt/tree.js';
import type { JinjaComparator, JinjaExpression } from './jinja-tree.js';
import { bareCount, isDefined, type Loops, pipedOf, valueOf } from './nlt-to-jinja-values.js';

const COMPARATORS: Partial<Readonly<Record<BinaryOperator, JinjaComparator>>> = {
  is: '==',
  'is not': '!=',
  'is greater than': '>',
  'is less than': '<',
  'is at least': '>=',
  'is at most': '<=',
};

const OPPOSITES: Partial<Readonly<Record<string, BinaryOperator>>> = {
  is: 'is not',
  'is not': 'is',
  contains: 'does not contain',
  'does not contain': 'contains',
};

/** @throws NoCounterpartError */
export function conditionOf(condition: Condition, loops: Loops): JinjaExpression {
  switch (condition.kind) {
    case 'any':
      return { kind: 'or', operands: condition.conditions.map((part) => conditionOf(part, loops)) };
    case 'all':
      return { kind: 'and', operands: condition.conditions.map((part) => conditionOf(part, loops)) };
    case 'unary': {
      const { left, operator, negated } = condition;
      return unaryOf(left, operator, negated, loops);
    }
    case 'one of':
      return oneOf(condition, loops);
    case 'binary':
      return binaryOf(condition, loops);
  }
}

function unaryOf(left: PipedValue, operator: UnaryOperator, negated: boolean, loops: Loops): JinjaExpression {
  switch (operator) {
    case 'exists':
    case 'does not exist':
      return isDefined(left, loops, (operator === 'exists') === negated);
    case 'is null':
    case 'is not null': {
      const isNull = (operator === 'is null') !== negated;
      return { kind: 'test', target: pipedOf(left, loops), name: 'none', args: [], negated: !isNull };
    }
    case 'is empty':
    case 'is not empty': {
      const isEmpty = (operator === 'is empty') !== negated;
      if (left.modifiers.at(-1)?.kind === 'count') return isDefined(left, loops, isEmpty);
      return guarded([left], isEmpty, loops, emptiness(pipedOf(left, loops), isEmpty));
    }
    case 'holds': {
      const value = negated ? not(pipedOf(left, loops)) : pipedOf(left, loops);
      return left.modifiers.at(-1)?.kind === 'count' ? value : guarded([left], negated, loops, value);
    }
  }
}

function emptiness(value: JinjaExpression, isEmpty: boolean): JinjaExpression {
  const zero: JinjaExpression = { kind: 'number', digits: '0' };
  return isEmpty
    ? { kind: 'and', operands: [not(value), compared(value, '!=', zero)] }
    : { kind: 'or', operands: [value, compared(value, '==', zero)] };
}

function oneOf(
  { left, items, negated }: Extract<Comparison, { kind: 'one of' }>,
  loops: Loops,
): JinjaExpression {
  const [only] = items;
  const list: JinjaExpression =
    items.length === 1 && only?.kind === 'reference'
      ? valueOf(only, loops)
      : { kind: 'list', items: items.map((item) => valueOf(item, loops)) };
  return guarded([left], negated, loops, compared(pipedOf(left, loops), negated ? 'not in' : 'in', list));
}

function binaryOf(comparison: Extract<Comparison, { kind: 'binary' }>, loops: Loops): JinjaExpression {
  const { left, right } = comparison;
  const opposite = comparison.negated ? OPPOSITES[comparison.operator] : undefined;
  const operator = opposite ?? comparison.operator;
  const whenMissing = operator === 'is not' || operator === 'does not contain';
  const plain = operation(pipedOf(left, loops), operator, pipedOf(right, loops));
  const counts = countsAlikeWhenMissing(left, operator, right) ? [] : [left, right];
  const whole = guarded(counts, whenMissing, loops, plain);
  return comparison.negated && opposite === undefined ? not(whole) : whole;
}

function operation(left: JinjaExpression, operator: BinaryOperator, right: JinjaExpression): JinjaExpression {
  const comparator = COMPARATORS[operator];
  if (comparator !== undefined) return compared(left, comparator, right);
  if (operator === 'contains') return compared(right, 'in', left);
  if (operator === 'does not contain') return compared(right, 'not in', left);
  const method = operator === 'starts with' ? 'startswith' : 'endswith';
  const target: JinjaExpression = { kind: 'item', target: left, key: { kind: 'text', text: method } };
  return { kind: 'call', target, args: [{ name: null, value: right }] };
}

/** Whether a comparison gives the same result for a count of 0 and a missing one. */
function countsAlikeWhenMissing(
  left: PipedValue,
  operator: BinaryOperator,
  { value, modifiers }: PipedValue,
): boolean {
  if (left.modifiers.at(-1)?.kind !== 'count') return false;
  const isPositive = value.kind === 'number' && modifiers.length === 0 && Number(value.digits) > 0;
  return isPositive && ['is', 'is not', 'is greater than', 'is at least'].includes(operator);
}

/** A comparison of `sides`; if a counted value is missing, the result is `whenMissing`. */
function guarded(
  sides: readonly PipedValue[],
  whenMissing: boolean,
  loops: Loops,
  comparison: JinjaExpression,
): JinjaExpression {
  const guards = sides.flatMap(({ value, modifiers }): JinjaExpression[] => {
    const index = bareCount(modifiers);
    if (index < 0) return [];
    return [isDefined({ value, modifiers: modifiers.slice(0, index) }, loops, whenMissing)];
  });
  if (guards.length === 0) return comparison;
  return { kind: whenMissing ? 'or' : 'and', operands: [...guards, comparison] };
}

function not(operand: JinjaExpression): JinjaExpression {
  return { kind: 'not', operand };
}

function compared(
  first: JinjaExpression,
  operator: JinjaComparator,
  value: JinjaExpression,
): JinjaExpression {
  return { kind: 'comparison', first, rest: [{ operator, value }] };
}
