/**
 * Converts foreign conditions to NLT's, which have no parentheses: an `or` of `and`s, with `not` before single
 * comparisons.
 *
 * Edge cases:
 * - In Liquid only nil and false are falsy: `x` is `x exists and x is not false`. In Python, and so in Django, empty
 *   texts, empty lists and 0 are falsy too, as in NLT.
 * - `x == ""` is false for a missing value in both, so it becomes two comparisons.
 * - NLT compares texts without regard to case and surrounding spaces, and treats "5" as 5.
 */
import {
  type Alternatives,
  ALWAYS,
  conditionOfAlternatives,
  eitherOf,
  NEVER,
  productOf,
  unary,
} from '../nlt/alternatives.js';
import type { BinaryOperator, Comparison, Condition, PipedValue, Value } from '../nlt/tree.js';
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { Filtered, ForeignComparator, ForeignCondition } from './foreign-expressions.js';
import { pipedIn, type Shown } from './shown-value.js';
import { unfit } from './unfit.js';

export interface ConditionSetting {
  /** `exists`: Liquid's truthiness; `holds`: Python's. */
  readonly truth: 'exists' | 'holds';
  read(value: Filtered): Shown;
}

/** @throws Unfit */
export function conditionFrom(foreign: ForeignCondition, setting: ConditionSetting): Condition {
  return conditionOfAlternatives(convert(foreign, false, setting));
}

/** @throws Unfit */
export function notCondition(foreign: ForeignCondition, setting: ConditionSetting): Condition {
  return conditionOfAlternatives(convert(foreign, true, setting));
}

function convert(foreign: ForeignCondition, negated: boolean, setting: ConditionSetting): Alternatives {
  switch (foreign.kind) {
    case 'not':
      return convert(foreign.part, !negated, setting);
    case 'and':
    case 'or': {
      const parts = foreign.parts.map((part) => convert(part, negated, setting));
      return (foreign.kind === 'or') === negated ? productOf(parts, bounded) : eitherOf(parts, bounded);
    }
    case 'truth':
      return truthOf(foreign.value, negated, setting);
    case 'compared':
      return compared(foreign, negated, setting);
  }
}

function bounded(alternatives: Alternatives): Alternatives {
  const count = alternatives.reduce((sum, { length }) => sum + Math.max(1, length), 0);
  return count > MAX_FOREIGN_PARTS ? unfit('The condition is too long.', 'beyond_bounds') : alternatives;
}

function truthOf(value: Filtered, negated: boolean, setting: ConditionSetting): Alternatives {
  if (value.filters.length === 0 && value.value.kind !== 'path') {
    const { value: literal } = value;
    const isEmpty =
      (literal.kind === 'text' && literal.text === '') ||
      (literal.kind === 'number' && Number(literal.digits) === 0);
    const isFalse = literal.kind === 'nil' || (literal.kind === 'boolean' && !literal.value);
    const holds = !isFalse && !(isEmpty && setting.truth === 'holds');
    return holds === negated ? NEVER : ALWAYS;
  }
  const left = named(setting.read(value));
  if (setting.truth === 'holds') return [[unary(left, 'holds', negated)]];
  return eitherWay([unary(left, 'exists', false), isFalse(left, true)], negated);
}

/** All of the comparisons; if negated, the opposite of at least one of them. */
function eitherWay(comparisons: readonly Comparison[], negated: boolean): Alternatives {
  return negated ? comparisons.map((one) => [{ ...one, negated: !one.negated }]) : [comparisons];
}

function isFalse(left: PipedValue, negated: boolean): Comparison {
  const right = { value: { kind: 'boolean', value: false }, modifiers: [] } as const;
  return { kind: 'binary', negated: false, left, operator: negated ? 'is not' : 'is', right };
}

/** The left side of a comparison must start with a name. @throws Unfit */
function named(shown: Shown): PipedValue {
  const piped = pipedIn(shown);
  return beginsWithName(piped.value) ? piped : unfit('A comparison in Waypost starts with a named value.');
}

function beginsWithName(value: Value): boolean {
  if (value.kind === 'sum' || value.kind === 'product') return beginsWithName(value.first);
  return value.kind === 'reference' || value.kind === 'moment';
}

const OPERATORS: Readonly<Partial<Record<ForeignComparator, BinaryOperator>>> = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '>': 'is greater than',
  '<=': 'is at most',
  '>=': 'is at least',
  contains: 'contains',
};

const TURNED: Readonly<Partial<Record<ForeignComparator, ForeignComparator>>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  in: 'contains',
};

function compared(
  comparison: Extract<ForeignCondition, { kind: 'compared' }>,
  negated: boolean,
  setting: ConditionSetting,
): Alternatives {
  const { left, comparator, right } = comparison;
  if (comparator === 'not in') return compared({ ...comparison, comparator: 'in' }, !negated, setting);
  const turned = TURNED[comparator];
  if (comparator === 'in' || (left.value.kind !== 'path' && right.value.kind === 'path')) {
    if (turned === undefined) return unfit('A comparison in Waypost starts with a named value.');
    return compared({ kind: 'compared', left: right, comparator: turned, right: left }, negated, setting);
  }
  const piped = named(setting.read(left));
  const isEquality = comparator === '==' || comparator === '!=';
  const isNegated = (comparator === '!=') !== negated;
  if (right.value.kind === 'nil' || right.value.kind === 'empty') {
    if (!isEquality) unfit('Waypost cannot compare missing values by order.');
    return [[unary(piped, right.value.kind === 'nil' ? 'does not exist' : 'is empty', isNegated)]];
  }
  if (
    isEquality &&
    right.filters.length === 0 &&
    right.value.kind === 'text' &&
    right.value.text.trim() === ''
  )
    return eitherWay([unary(piped, 'exists', false), unary(piped, 'is empty', false)], isNegated);
  const operator = OPERATORS[comparator];
  if (operator === undefined) return unfit('Waypost has no such comparison.');
  return [[{ kind: 'binary', negated, left: piped, operator, right: pipedIn(setting.read(right)) }]];
}
