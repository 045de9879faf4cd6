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
  unaryComparison,
} from '../nlt/alternatives.js';
import type { BinaryOperator, Comparison, Condition, PipedValue, Value } from '../nlt/tree.js';
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { FilteredValue, ForeignComparator, ForeignCondition } from './foreign-expressions.js';
import { pipedIn, type ShownValue } from './shown-value.js';
import { unsupported } from './unsupported.js';

export interface ConditionSetting {
  /** `exists`: Liquid's truthiness; `holds`: Python's. */
  readonly truth: 'exists' | 'holds';
  read(value: FilteredValue): ShownValue;
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
      return (foreign.kind === 'or') === negated ? productOf(parts, checkSize) : eitherOf(parts, checkSize);
    }
    case 'truth':
      return truthOf(foreign.value, negated, setting);
    case 'compared':
      return compared(foreign, negated, setting);
  }
}

function checkSize(alternatives: Alternatives): Alternatives {
  const count = alternatives.reduce((sum, { length }) => sum + Math.max(1, length), 0);
  return count > MAX_FOREIGN_PARTS
    ? unsupported('The condition is too long.', 'beyond_bounds')
    : alternatives;
}

function truthOf(value: FilteredValue, negated: boolean, setting: ConditionSetting): Alternatives {
  if (value.filters.length === 0 && value.value.kind !== 'path') {
    const { value: literal } = value;
    const isEmpty =
      (literal.kind === 'text' && literal.text === '') ||
      (literal.kind === 'number' && Number(literal.digits) === 0);
    const isFalse = literal.kind === 'nil' || (literal.kind === 'boolean' && !literal.value);
    const holds = !isFalse && !(isEmpty && setting.truth === 'holds');
    return holds === negated ? NEVER : ALWAYS;
  }
  const left = namedValue(setting.read(value));
  if (setting.truth === 'holds') return [[unaryComparison(left, 'holds', negated)]];
  return allOrOpposite([unaryComparison(left, 'exists', false), isFalse(left, true)], negated);
}

/** All of the comparisons; if negated, the opposite of at least one of them. */
function allOrOpposite(comparisons: readonly Comparison[], negated: boolean): Alternatives {
  return negated ? comparisons.map((one) => [{ ...one, negated: !one.negated }]) : [comparisons];
}

function isFalse(left: PipedValue, negated: boolean): Comparison {
  const right = { value: { kind: 'boolean', value: false }, modifiers: [] } as const;
  return { kind: 'binary', negated: false, left, operator: negated ? 'is not' : 'is', right };
}

/** The left side of a comparison must start with a name. @throws Unfit */
function namedValue(shown: ShownValue): PipedValue {
  const piped = pipedIn(shown);
  return beginsWithName(piped.value)
    ? piped
    : unsupported('A comparison in Waypost starts with a named value.');
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

const MIRRORED_COMPARATORS: Readonly<Partial<Record<ForeignComparator, ForeignComparator>>> = {
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
  const mirrored = MIRRORED_COMPARATORS[comparator];
  if (comparator === 'in' || (left.value.kind !== 'path' && right.value.kind === 'path')) {
    if (mirrored === undefined) return unsupported('A comparison in Waypost starts with a named value.');
    return compared({ kind: 'compared', left: right, comparator: mirrored, right: left }, negated, setting);
  }
  const piped = namedValue(setting.read(left));
  const isEquality = comparator === '==' || comparator === '!=';
  const isNegated = (comparator === '!=') !== negated;
  if (right.value.kind === 'nil' || right.value.kind === 'empty') {
    if (!isEquality) unsupported('Waypost cannot compare missing values by order.');
    return [[unaryComparison(piped, right.value.kind === 'nil' ? 'does not exist' : 'is empty', isNegated)]];
  }
  if (
    isEquality &&
    right.filters.length === 0 &&
    right.value.kind === 'text' &&
    right.value.text.trim() === ''
  )
    return allOrOpposite(
      [unaryComparison(piped, 'exists', false), unaryComparison(piped, 'is empty', false)],
      isNegated,
    );
  const operator = OPERATORS[comparator];
  if (operator === undefined) return unsupported('Waypost has no such comparison.');
  return [[{ kind: 'binary', negated, left: piped, operator, right: pipedIn(setting.read(right)) }]];
}
