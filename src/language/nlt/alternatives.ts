/**
 * Conditions in NLT's form, which has no parentheses: an `or` of `and`s of single comparisons. The converters bring the
 * conditions of every other language into this form and combine them here.
 */
import type { AllOf, Comparison, Condition, PipedValue, UnaryOperator } from './tree.js';

/** An `or` of `and`s. An empty list is never true; an alternative without comparisons is always true. */
export type Alternatives = readonly (readonly Comparison[])[];

export const ALWAYS: Alternatives = [[]];
export const NEVER: Alternatives = [];

/** Returns its argument if that is small enough. @throws an error of the caller's choice if it is too large */
export type LimitCheck = (alternatives: Alternatives) => Alternatives;

/** The condition that the alternatives express. One that is always or never true is written as the number 1 or 0. */
export function conditionOfAlternatives(alternatives: Alternatives): Condition {
  if (alternatives.some((comparisons) => comparisons.length === 0)) return constantCondition(true);
  const parts = alternatives.map(allOf);
  const [first] = parts;
  if (first === undefined) return constantCondition(false);
  return parts.length === 1 ? first : { kind: 'any', conditions: parts };
}

function allOf(comparisons: readonly Comparison[]): AllOf | Comparison {
  const [first] = comparisons;
  return comparisons.length === 1 && first !== undefined ? first : { kind: 'all', conditions: comparisons };
}

function constantCondition(value: boolean): Comparison {
  return unaryComparison(
    { value: { kind: 'number', digits: value ? '1' : '0' }, modifiers: [] },
    'holds',
    false,
  );
}

export function unaryComparison(left: PipedValue, operator: UnaryOperator, negated: boolean): Comparison {
  return { kind: 'unary', negated, left, operator };
}

/** True if at least one of the parts is true. */
export function eitherOf(parts: readonly Alternatives[], checkLimit: LimitCheck): Alternatives {
  return checkLimit(parts.flat());
}

/** True if all parts are true: combines one alternative of each part in every possible way. */
export function productOf(parts: readonly Alternatives[], checkLimit: LimitCheck): Alternatives {
  return parts.reduce<Alternatives>(
    (done, part) => checkLimit(done.flatMap((first) => part.map((second) => [...first, ...second]))),
    ALWAYS,
  );
}
