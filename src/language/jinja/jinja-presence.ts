/**
 * Questions for null and for what is missing. Jinja2 tells the two apart and NLT does not (specification section 4.3:
 * convert), so a question for null is converted where that makes no difference, and stays as written elsewhere:
 * - `x | default(none) is none`, which means exactly what `does not exist` does;
 * - `x is not defined or x is none`, `x is defined and x is not none`, which mean the same in two questions;
 * - a field that every contact has, such as `contact.phone`: it is null where nothing is known.
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

interface Question {
  readonly about: 'defined' | 'none';
  readonly target: JinjaExpression;
  readonly negated: boolean;
}

/** The operands of `and` or `or`, with one question where two neighbours ask whether a value is there and not null. */
export function asOneQuestion({ kind, operands }: JinjaJunction): readonly JinjaExpression[] {
  const merged: JinjaExpression[] = [];
  for (const operand of operands) {
    const before = merged.at(-1);
    const target = before === undefined ? null : sharedTarget(questionIn(before), questionIn(operand), kind);
    if (target === null) merged.push(operand);
    else merged.splice(-1, 1, isNone(orNone(target), kind === 'and'));
  }
  return merged;
}

function isNone(target: JinjaExpression, negated: boolean): JinjaExpression {
  return { kind: 'test', target, name: 'none', args: [], negated };
}

/** What both questions are about, if together they do not tell null from missing. */
function sharedTarget(
  first: Question | null,
  second: Question | null,
  kind: JinjaJunction['kind'],
): JinjaExpression | null {
  if (first === null || second === null || first.about === second.about) return null;
  const isThere = ({ about, negated }: Question): boolean => (about === 'none') === negated;
  if (isThere(first) !== (kind === 'and') || isThere(second) !== (kind === 'and')) return null;
  return JSON.stringify(first.target) === JSON.stringify(second.target) ? first.target : null;
}

function questionIn(expression: JinjaExpression): Question | null {
  switch (expression.kind) {
    case 'not': {
      const inner = questionIn(expression.operand);
      return inner && { ...inner, negated: !inner.negated };
    }
    case 'test': {
      const { target, name, negated } = expression;
      if (name === 'undefined') return { about: 'defined', target, negated: !negated };
      return name === 'defined' || name === 'none' ? { about: name, target, negated } : null;
    }
    case 'comparison': {
      const [compared, ...more] = expression.rest;
      if (compared?.value.kind !== 'none' || more.length > 0) return null;
      if (compared.operator !== '==' && compared.operator !== '!=') return null;
      return { about: 'none', target: expression.first, negated: compared.operator === '!=' };
    }
    default:
      return null;
  }
}
