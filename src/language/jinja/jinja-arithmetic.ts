/**
 * Converts Jinja2's arithmetic to NLT's, which has no parentheses: sums are multiplied out.
 *
 * Edge cases:
 * - Chains keep their order. Parentheses are expanded only if exact decimals give the same result: a sum may be divided
 *   only by a number whose prime factors are 2 and 5 (`(a + b) / 100`).
 * - NLT's expressions start with a name, so `2 * x` becomes `the x times 2` and `10 - x` `the x times -1 plus 10`.
 * - `//` is a division rounded down and cannot be part of a larger expression: see jinja-values.ts.
 */
import type { Operand, Product, Sum, Value } from '../nlt/tree.js';
import { MAX_PARTS } from './jinja-limits.js';
import type { JinjaArithmetic, JinjaExpression, JinjaNegative, JinjaProductOperator } from './jinja-tree.js';
import { unconvertible } from './conversion.js';

interface Factor {
  readonly operator: 'times' | 'divided by' | 'modulo';
  readonly value: Operand;
}

/** A product with a sign; the first factor is always `times`. */
interface Term {
  readonly negative: boolean;
  readonly factors: readonly Factor[];
}

/** Converts an operand that is not arithmetic itself. @throws Unconvertible */
export type ReadOperand = (expression: JinjaExpression) => Operand;

/** The NLT of a sum, a product or a negative value. @throws Unconvertible */
export function arithmeticOf(expression: JinjaArithmetic | JinjaNegative, readOperand: ReadOperand): Value {
  return valueOf(nameFirst(termsOf(expression, readOperand)));
}

function termsOf(expression: JinjaExpression, readOperand: ReadOperand): readonly Term[] {
  switch (expression.kind) {
    case 'negative':
      return termsOf(expression.operand, readOperand).map(negated);
    case 'sum': {
      const terms = expression.rest.flatMap(({ operator, value }) => {
        const added = termsOf(value, readOperand);
        return operator === '-' ? added.map(negated) : added;
      });
      return checkSize([...termsOf(expression.first, readOperand), ...terms]);
    }
    case 'product':
      return expression.rest.reduce(
        (left, { operator, value }) => combined(left, operator, termsOf(value, readOperand)),
        termsOf(expression.first, readOperand),
      );
    default:
      return [termOf(readOperand(expression))];
  }
}

function termOf(value: Operand): Term {
  const isNegative = value.kind === 'number' && value.digits.startsWith('-');
  const operand = isNegative ? { ...value, digits: value.digits.slice(1) } : value;
  return { negative: isNegative, factors: [{ operator: 'times', value: operand }] };
}

function negated(term: Term): Term {
  return { ...term, negative: !term.negative };
}

function combined(
  left: readonly Term[],
  operator: JinjaProductOperator,
  right: readonly Term[],
): readonly Term[] {
  if (operator === '*')
    return checkSize(left.flatMap((a) => right.map((b) => multiplied(a, b, left, right))));
  const [divisor] = right;
  if (operator === '//') unconvertible('NLT can only round down a whole value, not a part of it');
  if (right.length !== 1 || divisor === undefined) unconvertible('NLT has no parentheses to divide by a sum');
  if (operator === '/') {
    if (left.length > 1 && !dividesExactly(divisor)) unconvertible('NLT has no parentheses to divide a sum');
    return checkSize(left.map((term) => divided(term, divisor)));
  }
  const [dividend] = left;
  const [factor] = divisor.factors;
  if (left.length !== 1 || dividend === undefined)
    unconvertible('NLT has no parentheses for the modulo of a sum');
  if (divisor.factors.length !== 1 || factor === undefined)
    unconvertible('NLT has no parentheses for a modulo');
  if (divisor.negative && factor.value.kind !== 'number')
    unconvertible('NLT has no parentheses for a modulo');
  const value = divisor.negative ? negate(factor.value) : factor.value;
  return checkSize([{ negative: false, factors: [...signed(dividend), { operator: 'modulo', value }] }]);
}

function multiplied(a: Term, b: Term, left: readonly Term[], right: readonly Term[]): Term {
  const distributes = left.length > 1 || right.length > 1;
  if (distributes && (!isExact(a) || !isExact(b))) unconvertible('NLT has no parentheses around this sum');
  const negative = a.negative !== b.negative;
  if (!hasModulo(b)) return { negative, factors: [...a.factors, ...b.factors] };
  if (hasModulo(a) || !isExact(a)) unconvertible('NLT has no parentheses around this modulo');
  return { negative, factors: [...b.factors, ...a.factors] };
}

function divided(term: Term, divisor: Term): Term {
  if (hasModulo(divisor)) unconvertible('NLT has no parentheses around this modulo');
  const inverse = divisor.factors.map(({ operator, value }): Factor => {
    return { operator: operator === 'times' ? 'divided by' : 'times', value };
  });
  const times = inverse.filter(({ operator }) => operator === 'times');
  const rest = inverse.filter(({ operator }) => operator !== 'times');
  return { negative: term.negative !== divisor.negative, factors: [...term.factors, ...times, ...rest] };
}

function hasModulo({ factors }: Term): boolean {
  return factors.some(({ operator }) => operator === 'modulo');
}

/** Whether every division of the term has an exact decimal result. */
function isExact({ factors }: Term): boolean {
  return factors.every(({ operator, value }) => operator === 'times' || hasExactReciprocal(value));
}

function dividesExactly({ factors }: Term): boolean {
  return factors.every(({ operator, value }) => operator === 'times' && hasExactReciprocal(value));
}

function hasExactReciprocal(value: Operand): boolean {
  if (value.kind !== 'number' || value.digits.length > 15) return false;
  let whole = Number(value.digits.replace(/[.-]/g, ''));
  if (whole === 0) return false;
  while (whole % 2 === 0) whole /= 2;
  while (whole % 5 === 0) whole /= 5;
  return whole === 1;
}

function checkSize(terms: readonly Term[]): readonly Term[] {
  const size = terms.reduce((sum, { factors }) => sum + factors.length, 0);
  if (size > MAX_PARTS) unconvertible('without parentheses it would become too long');
  return terms;
}

/** The term's factors, including its sign: merged into a number, if there is one. */
function signed(term: Term): readonly Factor[] {
  const { negative, factors } = term;
  if (!negative) return factors;
  const index = hasModulo(term) ? -1 : factors.findIndex(({ value }) => value.kind === 'number');
  if (index < 0) return [...factors, { operator: 'times', value: { kind: 'number', digits: '-1' } }];
  return factors.map((factor, position) =>
    position === index ? { ...factor, value: negate(factor.value) } : factor,
  );
}

function negate(value: Operand): Operand {
  if (value.kind !== 'number') return value;
  return {
    kind: 'number',
    digits: value.digits.startsWith('-') ? value.digits.slice(1) : `-${value.digits}`,
  };
}

/** The terms, reordered to start with a name if there is one. */
function nameFirst(terms: readonly Term[]): readonly Term[] {
  const reordered = terms.map(startingWithName);
  const index = reordered.findIndex(beginsWithName);
  const first = reordered[index];
  if (first === undefined) return terms;
  const positive = reordered.findIndex((term) => beginsWithName(term) && !term.negative);
  const chosen = beginsWithName(reordered[0]) ? 0 : positive >= 0 ? positive : index;
  return [reordered[chosen] ?? first, ...reordered.filter((_, position) => position !== chosen)];
}

function beginsWithName(term: Term | undefined): boolean {
  return term?.factors[0]?.value.kind === 'reference';
}

/** The term with a name first, taken from the factors that may be reordered: those before a division. */
function startingWithName(term: Term): Term {
  const { factors } = term;
  const end = factors.findIndex(({ operator }) => operator !== 'times');
  const index = factors.findIndex(({ value }) => value.kind === 'reference');
  const first = factors[index];
  if (first === undefined || (end >= 0 && index >= end)) return term;
  return { ...term, factors: [first, ...factors.filter((_, position) => position !== index)] };
}

function valueOf([first, ...rest]: readonly Term[]): Value {
  if (first === undefined) return unconvertible('this arithmetic has no values');
  const firstProduct = productOf(signed(first));
  if (rest.length === 0) return firstProduct;
  const added = rest.map(({ negative, factors }): Sum['rest'][number] => {
    return { operator: negative ? 'minus' : 'plus', value: productOf(factors) };
  });
  return { kind: 'sum', first: firstProduct, rest: added };
}

function productOf([first, ...rest]: readonly Factor[]): Operand | Product {
  if (first === undefined) return unconvertible('this arithmetic has no values');
  return rest.length === 0 ? first.value : { kind: 'product', first: first.value, rest };
}
