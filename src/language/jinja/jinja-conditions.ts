/**
 * Converts Jinja2's conditions to NLT's, which have no parentheses: an `or` of `and`s, with `not` before single
 * comparisons (specification section 4.3).
 *
 * Edge cases, where the meaning differs slightly:
 * - NLT compares texts without regard to case and surrounding spaces, and "5" is 5.
 * - The truth of a value alone is the same in both, except for a text of only spaces, which is empty in NLT.
 * - NLT treats null as missing: `is defined` is false for null, unless the same condition also tests for null. `is
 *   none` is `is null` (jinja-presence.ts).
 * - `x in y` searches texts and lists, but not the keys of a dictionary.
 * - `not x and x != 0` is `is empty`: false and 0 are not empty.
 * - `true` and `false` as conditions are written as the numbers 1 and 0.
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
import { shortFormOf } from './jinja-references.js';
import type { LoopScope } from '../nlt/loop-scope.js';
import type { BinaryOperator, Comparison, Condition, PipedValue } from '../nlt/tree.js';
import { MAX_PARTS } from './jinja-limits.js';
import { nullCheckedValues, mergePresenceTests, isOfEveryContact, isOrNone } from './jinja-presence.js';
import type {
  JinjaComparator,
  JinjaExpression,
  JinjaFilter,
  JinjaJunction,
  JinjaTest,
} from './jinja-tree.js';
import { unconvertible } from './conversion.js';
import { beginsWithName, operandOf, pipedOf } from './jinja-values.js';

/** @throws Unconvertible */
export function conditionOf(expression: JinjaExpression, scope: LoopScope): Condition {
  return conditionOfAlternatives(
    new ConditionConverter(scope, nullCheckedValues(expression)).convert(expression, false),
  );
}

const operators: Readonly<Record<Exclude<JinjaComparator, 'in' | 'not in'>, BinaryOperator>> = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '>': 'is greater than',
  '<=': 'is at most',
  '>=': 'is at least',
};

/** The comparator for swapped sides. */
const mirroredComparators: Readonly<Record<keyof typeof operators, keyof typeof operators>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

const opposites: Partial<Readonly<Record<BinaryOperator, BinaryOperator>>> = {
  is: 'is not',
  'is not': 'is',
  contains: 'does not contain',
  'does not contain': 'contains',
};

const comparatorTests: Readonly<Record<string, JinjaComparator>> = {
  eq: '==',
  equalto: '==',
  ne: '!=',
  lt: '<',
  lessthan: '<',
  le: '<=',
  gt: '>',
  greaterthan: '>',
  ge: '>=',
  in: 'in',
};

class ConditionConverter {
  constructor(
    private readonly scope: LoopScope,
    /** The values that the same condition tests for null, as JSON. */
    private readonly nullCheckedValues: ReadonlySet<string>,
  ) {}

  convert(expression: JinjaExpression, negated: boolean): Alternatives {
    switch (expression.kind) {
      case 'and':
      case 'or': {
        const emptiness = this.emptiness(expression, negated);
        if (emptiness !== null) return emptiness;
        const parts = mergePresenceTests(expression).map((operand) => this.convert(operand, negated));
        return (expression.kind === 'and') === negated
          ? eitherOf(parts, checkSize)
          : productOf(parts, checkSize);
      }
      case 'not':
        return this.convert(expression.operand, !negated);
      case 'comparison': {
        let left = expression.first;
        const parts = expression.rest.map(({ operator, value }) => {
          const part = this.compare(left, operator, value, negated);
          left = value;
          return part;
        });
        return negated ? eitherOf(parts, checkSize) : productOf(parts, checkSize);
      }
      case 'test':
        return this.test(expression, expression.negated !== negated);
      case 'call':
        return [
          [
            this.method(
              expression.target,
              expression.args.map(({ value }) => value),
              negated,
            ),
          ],
        ];
      case 'boolean':
        return expression.value === negated ? NEVER : ALWAYS;
      case 'none':
        return negated ? ALWAYS : NEVER;
      case 'text':
        return (expression.text === '') === negated ? ALWAYS : NEVER;
      case 'list':
        return (expression.items.length === 0) === negated ? ALWAYS : NEVER;
      default:
        return [[unaryComparison(withoutFallbackZero(pipedOf(expression, this.scope)), 'holds', negated)]];
    }
  }

  /** `not x and x != 0` is `is empty`, `x or x == 0` is `is not empty`: false is neither empty nor 0 in NLT. */
  private emptiness({ kind, operands }: JinjaJunction, negated: boolean): Alternatives | null {
    const [first, second] = operands;
    if (operands.length !== 2 || first === undefined || second?.kind !== 'comparison') return null;
    const value = kind === 'or' ? first : first.kind === 'not' ? first.operand : null;
    const [compared, ...more] = second.rest;
    const isZero = compared?.value.kind === 'number' && compared.value.digits === '0' && more.length === 0;
    if (value === null || !isZero || compared.operator !== (kind === 'or' ? '==' : '!=')) return null;
    if (JSON.stringify(value) !== JSON.stringify(second.first)) return null;
    const isEmpty = (kind === 'and') !== negated;
    return [[unaryComparison(this.left(value), isEmpty ? 'is empty' : 'is not empty', false)]];
  }

  private compare(
    left: JinjaExpression,
    comparator: JinjaComparator,
    right: JinjaExpression,
    negated: boolean,
  ): Alternatives {
    if (comparator === 'in' || comparator === 'not in') {
      return this.contained(left, right, (comparator === 'not in') !== negated);
    }
    if (isLiteral(left)) {
      if (isLiteral(right)) unconvertible('NLT cannot compare two fixed values');
      return this.compare(right, mirroredComparators[comparator], left, negated);
    }
    if (right.kind === 'none') {
      if (comparator !== '==' && comparator !== '!=')
        unconvertible('NLT has no “none” in an ordering comparison');
      return this.isNull(left, (comparator === '!=') !== negated);
    }
    const operator = operators[comparator];
    const [a, b] = [this.left(left), this.right(right)];
    return [[binary(isAlikeForZero(operator, b) ? withoutFallbackZero(a) : a, operator, b, negated)]];
  }

  private contained(item: JinjaExpression, list: JinjaExpression, negated: boolean): Alternatives {
    if (list.kind !== 'list') {
      return [[binary(this.left(list), 'contains', this.right(item), negated)]];
    }
    if (list.items.length === 0) return negated ? ALWAYS : NEVER;
    const items = list.items.map((entry) => operandOf(entry, this.scope));
    return [[{ kind: 'one of', negated, left: this.left(item), items }]];
  }

  private test({ target, name, args }: JinjaTest, negated: boolean): Alternatives {
    const [argument] = args.map(({ value }) => value);
    const comparator = Object.hasOwn(comparatorTests, name) ? comparatorTests[name] : undefined;
    if (comparator !== undefined && argument !== undefined && args.length === 1) {
      return this.compare(target, comparator, argument, negated);
    }
    if (name === 'divisibleby' && argument !== undefined && args.length === 1) {
      return this.remainder(target, argument, '0', negated);
    }
    if (name === 'sameas' && argument?.kind === 'none' && args.length === 1)
      return this.isNull(target, negated);
    if (args.length > 0) unconvertible(`the test “${name}” has no equivalent in NLT`);
    switch (name) {
      case 'defined':
        return this.isDefined(target, negated);
      case 'undefined':
        return this.isDefined(target, !negated);
      case 'none':
        return this.isNull(target, negated);
      case 'true':
      case 'false':
        return this.compare(target, '==', { kind: 'boolean', value: name === 'true' }, negated);
      case 'even':
      case 'odd':
        return this.remainder(target, { kind: 'number', digits: '2' }, name === 'odd' ? '1' : '0', negated);
      default:
        return unconvertible(`the test “${name}” has no equivalent in NLT`);
    }
  }

  private remainder(
    target: JinjaExpression,
    divisor: JinjaExpression,
    digits: string,
    negated: boolean,
  ): Alternatives {
    const division: JinjaExpression = {
      kind: 'product',
      first: target,
      rest: [{ operator: '%', value: divisor }],
    };
    return this.compare(division, '==', { kind: 'number', digits }, negated);
  }

  /** `x.startswith(y)` and `x.endswith(y)`. */
  private method(target: JinjaExpression, args: readonly JinjaExpression[], negated: boolean): Comparison {
    const [argument] = args;
    const name = target.kind === 'item' && target.key.kind === 'text' ? target.key.text : '';
    const operator = name === 'startswith' ? 'starts with' : name === 'endswith' ? 'ends with' : null;
    if (operator === null || argument === undefined || args.length > 1 || target.kind !== 'item') {
      return unconvertible('NLT has no functions');
    }
    return binary(this.left(target.target), operator, this.right(argument), negated);
  }

  private isDefined(target: JinjaExpression, negated: boolean): Alternatives {
    const value = this.left(target);
    const exists = unaryComparison(value, negated ? 'does not exist' : 'exists', false);
    if (!this.nullCheckedValues.has(JSON.stringify(target))) return [[exists]];
    const isNull = unaryComparison(value, negated ? 'is not null' : 'is null', false);
    return negated ? [[exists, isNull]] : [[exists], [isNull]];
  }

  private isNull(target: JinjaExpression, negated: boolean): Alternatives {
    const isAlwaysPresent = isOfEveryContact(target) && this.scope.resolve('contact') === undefined;
    const orMissing = isOrNone(target) ? target.target : isAlwaysPresent ? target : null;
    if (orMissing !== null)
      return [[unaryComparison(this.left(orMissing), negated ? 'exists' : 'does not exist', false)]];
    const isNullCondition = (value: PipedValue): Alternatives => [
      [unaryComparison(value, negated ? 'is not null' : 'is null', false)],
    ];
    switch (target.kind) {
      case 'name':
      case 'item':
        return isNullCondition(this.left(target));
      case 'none':
        return negated ? NEVER : ALWAYS;
      case 'filter':
        if (target.name === 'first' || target.name === 'last') return isNullCondition(this.left(target));
        if (shortFormOf(target, this.scope) !== null) return isNullCondition(this.left(target));
        // A default for an undefined value leaves null unchanged.
        if (isDefaultOfMissing(target)) return this.isNull(target.target, negated);
        if (NEVER_NULL.has(target.name)) break;
        return unconvertible(`NLT cannot check for null after the filter “${target.name}”`);
      case 'text':
      case 'number':
      case 'boolean':
      case 'list':
      case 'concatenation':
      case 'sum':
      case 'product':
      case 'negative':
        break;
      default:
        return unconvertible('NLT can only check names for null');
    }
    return negated ? ALWAYS : NEVER;
  }

  private left(expression: JinjaExpression): PipedValue {
    const left = pipedOf(expression, this.scope);
    if (left.value.kind === 'text' || left.value.kind === 'boolean') {
      unconvertible('an NLT comparison starts with a named value');
    }
    return left;
  }

  private right(expression: JinjaExpression): PipedValue {
    const right = pipedOf(expression, this.scope);
    if (right.modifiers.length > 0 && !beginsWithName(right.value)) {
      unconvertible('NLT has no modifiers for fixed values');
    }
    return right;
  }
}

/** Filters that never return null. */
const NEVER_NULL: ReadonlySet<string> = new Set([
  ...['upper', 'lower', 'title', 'capitalize', 'trim', 'replace', 'join', 'string', 'escape', 'e', 'safe'],
  ...['length', 'count', 'int', 'float', 'round'],
]);

/** `x | default(…)` with a fixed value that is not null. */
function isDefaultOfMissing({ name, args }: JinjaFilter): boolean {
  const [fallback] = args;
  if (!['default', 'd'].includes(name) || args.length !== 1 || fallback === undefined) return false;
  return ['text', 'number', 'boolean', 'list'].includes(fallback.value.kind);
}

function isLiteral({ kind }: JinjaExpression): boolean {
  return kind === 'text' || kind === 'number' || kind === 'boolean' || kind === 'none';
}

function binary(left: PipedValue, operator: BinaryOperator, right: PipedValue, negated: boolean): Comparison {
  const opposite = negated ? opposites[operator] : undefined;
  return {
    kind: 'binary',
    negated: negated && opposite === undefined,
    left,
    operator: opposite ?? operator,
    right,
  };
}

/** Whether comparing a count of 0 with `right` gives the same result as comparing a missing count. */
function isAlikeForZero(operator: BinaryOperator, right: PipedValue): boolean {
  if (right.value.kind !== 'number' || right.modifiers.length > 0) return false;
  const number = Number(right.value.digits);
  if (operator === 'is greater than') return number >= 0;
  return number > 0 && ['is', 'is not', 'is at least'].includes(operator);
}

/** `count, or 0` without its fallback, if a missing count gives the same result as 0. */
function withoutFallbackZero(piped: PipedValue): PipedValue {
  const [count, fallback] = piped.modifiers.slice(-2);
  const isZero =
    fallback?.kind === 'or' && fallback.fallback.kind === 'number' && fallback.fallback.digits === '0';
  return count?.kind === 'count' && isZero ? { ...piped, modifiers: piped.modifiers.slice(0, -1) } : piped;
}

function checkSize(alternatives: Alternatives): Alternatives {
  const size = alternatives.reduce((sum, comparisons) => sum + comparisons.length + 1, 0);
  if (size > MAX_PARTS * 2) unconvertible('without parentheses it would become too long');
  return alternatives;
}
