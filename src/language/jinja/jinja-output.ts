/**
 * Converts the output of a Jinja2 block to pieces of NLT (specification section 4.3).
 *
 * Edge cases:
 * - A constant text becomes text. One that HTML would escape (`"a < b"`) cannot, since template text is not escaped.
 * - `a if c else b` becomes a condition around values, `a == b` one around True and False, and texts that are joined by
 *   `~` or `+` become adjacent pieces.
 */
import { printPipedValue } from '../nlt/formatter.js';
import { MAX_BLOCK_LENGTH } from '../nlt/limits.js';
import {
  ELSE_TAG,
  elseIfTag as printElseIf,
  END_FOR_TAG,
  END_IF_TAG,
  forTag as printFor,
  ifTag as printIf,
} from '../nlt/tags.js';
import type { Condition, PipedValue } from '../nlt/tree.js';
import { conditionOf } from './jinja-conditions.js';
import { isPlain } from './jinja-filters.js';
import type { LoopScope } from '../nlt/loop-scope.js';
import type { JinjaExpression } from './jinja-tree.js';
import { beginsWithName, isFallbackChoice, pipedOf } from './jinja-values.js';
import { unconvertible } from './conversion.js';

/** A whole NLT tag, or text that must stay text even if it resembles an expression. */
export interface NltPiece {
  readonly kind: 'nlt' | 'text';
  readonly text: string;
}

export const ELSE: NltPiece = { kind: 'nlt', text: ELSE_TAG };
export const END_IF: NltPiece = { kind: 'nlt', text: END_IF_TAG };
export const END_FOR: NltPiece = { kind: 'nlt', text: END_FOR_TAG };

/** The pieces that output `expression`. @throws Unconvertible */
export function outputOf(expression: JinjaExpression, scope: LoopScope): readonly NltPiece[] {
  switch (expression.kind) {
    case 'text':
      if (!isPlain(expression.text)) unconvertible('the text of an NLT template is not escaped');
      return [text(expression.text)];
    case 'number':
      return [text(expression.digits)];
    case 'boolean':
      return [text(expression.value ? 'True' : 'False')];
    case 'none':
      return [text('None')];
    case 'concatenation':
      return expression.parts.flatMap((part) => outputOf(part, scope));
    case 'sum': {
      const operands = [expression.first, ...expression.rest.map(({ value }) => value)];
      const isText = expression.rest.every(({ operator }) => operator === '+') && operands.some(givesText);
      return isText ? operands.flatMap((part) => outputOf(part, scope)) : [valueTag(expression, scope)];
    }
    case 'choice': {
      if (isFallbackChoice(expression) && isOneValue(expression.otherwise))
        return [valueTag(expression, scope)];
      const { condition, chosen, otherwise } = expression;
      const rest = otherwise === null ? [] : [ELSE, ...outputOf(otherwise, scope)];
      return [ifTag(conditionOf(condition, scope)), ...outputOf(chosen, scope), ...rest, END_IF];
    }
    case 'comparison':
    case 'test':
    case 'not':
      return [ifTag(conditionOf(expression, scope)), text('True'), ELSE, text('False'), END_IF];
    default:
      return [valueTag(expression, scope)];
  }
}

function text(written: string): NltPiece {
  return { kind: 'text', text: written };
}

/** Whether a fallback is a single value, rather than an expression that computes one. */
function isOneValue(fallback: JinjaExpression | null): boolean {
  return (
    fallback !== null &&
    !['concatenation', 'sum', 'product', 'filter', 'test', 'comparison'].includes(fallback.kind)
  );
}

function givesText({ kind }: JinjaExpression): boolean {
  return kind === 'text' || kind === 'concatenation';
}

function valueTag(expression: JinjaExpression, scope: LoopScope): NltPiece {
  const piped = pipedOf(expression, scope);
  if (!beginsWithName(piped.value) && piped.value.kind !== 'moment') {
    unconvertible('an NLT expression starts with a named value');
  }
  return tag(`{${printPipedValue(piped)}}`);
}

/** `{if …}` @throws Unconvertible if it is too long */
export function ifTag(condition: Condition): NltPiece {
  return tag(printIf(condition));
}

/** `{else if …}` @throws Unconvertible if it is too long */
export function elseIfTag(condition: Condition): NltPiece {
  return tag(printElseIf(condition));
}

/** `{for each …}` @throws Unconvertible if it is too long */
export function forTag(variable: string, list: PipedValue): NltPiece {
  return tag(printFor(variable, list));
}

function tag(written: string | null): NltPiece {
  if (written === null || written.length > MAX_BLOCK_LENGTH)
    return unconvertible('in NLT it would become too long');
  return { kind: 'nlt', text: written };
}
