/**
 * Tests for null and for missing values. Jinja2 distinguishes the two. NLT treats both as missing, and only `is null`
 * tests for null (specification section 4.3: convert). The following forms become `exists` or `does not exist`:
 * - `x | default(none) is none`, which is equivalent to `does not exist`;
 * - `x is not defined or x is none`, `x is defined and x is not none`, which express the same in two tests;
 * - a field that every contact has, such as `contact.phone`: it is null if the value is unknown.
 */
import { CONTACT_FIELDS } from '../../kernel/contact-fields.js';
import { pathOf } from './jinja-references.js';
import type { JinjaExpression, JinjaFilter, JinjaJunction } from './jinja-tree.js';

const NONE: JinjaExpression = { kind: 'none' };

/** `target | default(none)` */
export function orNone(target: JinjaExpression): JinjaExpression {
  return { kind: 'filter', target, name: 'default', args: [{ name: null, value: NONE }] };
}

/** Whether `expression` is `x | default(none)`. */
export function isOrNone(expression: JinjaExpression): expression is JinjaFilter {
  if (expression.kind !== 'filter' || !['default', 'd'].includes(expression.name)) return false;
  const [fallback, ...more] = expression.args;
  return fallback?.value.kind === 'none' && fallback.name === null && more.length === 0;
}

/** Whether `expression` reads a field that every contact has. */
export function isOfEveryContact(expression: JinjaExpression): boolean {
  const [root, field = '', ...more] = pathOf(expression) ?? [];
  return root === 'contact' && more.length === 0 && CONTACT_FIELDS.includes(field);
}

interface PresenceTest {
  readonly checks: 'defined' | 'none';
  readonly target: JinjaExpression;
  readonly negated: boolean;
}

/** The operands of `and` or `or`, in which two adjacent tests for defined and not null become one. */
export function mergePresenceTests({ kind, operands }: JinjaJunction): readonly JinjaExpression[] {
  const merged: JinjaExpression[] = [];
  for (const operand of operands) {
    const previous = merged.at(-1);
    const combined = previous === undefined ? null : mergedTest(previous, operand, kind);
    if (combined === null) merged.push(operand);
    else merged.splice(-1, 1, combined);
  }
  return merged;
}

function isNone(target: JinjaExpression, negated: boolean): JinjaExpression {
  return { kind: 'test', target, name: 'none', args: [], negated };
}

/** The single test equivalent to two tests of a value; null if there is none. */
function mergedTest(
  first: JinjaExpression,
  second: JinjaExpression,
  kind: JinjaJunction['kind'],
): JinjaExpression | null {
  const tests = [presenceTestIn(first), presenceTestIn(second)];
  const defined = tests.find((test) => test?.checks === 'defined');
  const none = tests.find((test) => test?.checks === 'none');
  if (!defined || !none || JSON.stringify(defined.target) !== JSON.stringify(none.target)) return null;
  // `x is defined` adds nothing to `x is none`, nor `x is not defined` to `x is not none`.
  if (defined.negated !== (kind === 'or')) return null;
  return isNone(none.negated === (kind === 'and') ? orNone(none.target) : none.target, none.negated);
}

/** All values that a condition tests for null, as JSON. */
export function nullCheckedValues(expression: JinjaExpression): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (inner: JinjaExpression): void => {
    if (inner.kind === 'and' || inner.kind === 'or') inner.operands.forEach(visit);
    const test = presenceTestIn(inner);
    if (test?.checks === 'none') found.add(JSON.stringify(test.target));
    else if (inner.kind === 'not') visit(inner.operand);
  };
  visit(expression);
  return found;
}

function presenceTestIn(expression: JinjaExpression): PresenceTest | null {
  switch (expression.kind) {
    case 'not': {
      const inner = presenceTestIn(expression.operand);
      return inner && { ...inner, negated: !inner.negated };
    }
    case 'test': {
      const { target, name, args, negated } = expression;
      if (name === 'undefined') return { checks: 'defined', target, negated: !negated };
      if (name === 'sameas' && args.length === 1 && args[0]?.value.kind === 'none')
        return { checks: 'none', target, negated };
      return name === 'defined' || name === 'none' ? { checks: name, target, negated } : null;
    }
    case 'comparison': {
      const [compared, ...more] = expression.rest;
      if (compared?.value.kind !== 'none' || more.length > 0) return null;
      if (compared.operator !== '==' && compared.operator !== '!=') return null;
      return { checks: 'none', target: expression.first, negated: compared.operator === '!=' };
    }
    default:
      return null;
  }
}
