/**
 * Conditions as NLT has them, without parentheses: an `or` of `and`s of single comparisons. Whatever language a
 * condition comes from, it is brought into this form and put together here.
 */
import type { AllOf, Comparison, Condition, PipedValue, UnaryOperator } from './tree.js';

/** An `or` of `and`s. None at all is never true, one without comparisons always. */
export type Alternatives = readonly (readonly Comparison[])[];

export const ALWAYS: Alternatives = [[]];
export const NEVER: Alternatives = [];

/** Gives back what is small enough. @throws whatever its caller has for what is not */
export type Bound = (alternatives: Alternatives) => Alternatives;

/** The condition that the alternatives are; what is always or never true is written as the number 1 or 0. */
export function conditionOfAlternatives(alternatives: Alternatives): Condition {
  if (alternatives.some((comparisons) => comparisons.length === 0)) return constant(true);
  const parts = alternatives.map(allOf);
  const [first] = parts;
  if (first === undefined) return constant(false);
  return parts.length === 1 ? first : { kind: 'any', conditions: parts };
}

function allOf(comparisons: readonly Comparison[]): AllOf | Comparison {
  const [first] = comparisons;
  return comparisons.length === 1 && first !== undefined ? first : { kind: 'all', conditions: comparisons };
}

function constant(value: boolean): Comparison {
  return unary({ value: { kind: 'number', digits: value ? '1' : '0' }, modifiers: [] }, 'holds', false);
}

export function unary(left: PipedValue, operator: UnaryOperator, negated: boolean): Comparison {
  return { kind: 'unary', negated, left, operator };
}

/** One of the parts holds. */
export function eitherOf(parts: readonly Alternatives[], bounded: Bound): Alternatives {
  return bounded(parts.flat());
}

/** All of the parts hold: every choice of one alternative from each. */
export function productOf(parts: readonly Alternatives[], bounded: Bound): Alternatives {
  return parts.reduce<Alternatives>(
    (done, part) => bounded(done.flatMap((first) => part.map((second) => [...first, ...second]))),
    ALWAYS,
  );
}
