/** A foreign value during conversion to NLT: a value with modifiers, and the texts that filters add around it. */
import { printPipedValue } from '../nlt/formatter.js';
import { MAX_BLOCK_LENGTH } from '../nlt/limits.js';
import type { Modifier, Operand, PipedValue, Product, Reference, Sum, Value } from '../nlt/tree.js';
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { Piece } from './foreign-source.js';
import { unfit } from './unfit.js';

export interface Shown {
  readonly value: Value;
  readonly modifiers: readonly Modifier[];
  /** Texts around the value, shown even if the value is missing. */
  readonly before: string;
  readonly after: string;
  /** Differences in NLT, one sentence each. */
  readonly notes: readonly string[];
}

export function shownOf(value: Value): Shown {
  return { value, modifiers: [], before: '', after: '', notes: [] };
}

export function contactField(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'contact', event: null, path: checked(path) };
}

export function triggerField(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'trigger', event: null, path: checked(path) };
}

export function shortField(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'short', event: null, path: checked(path) };
}

function checked(path: readonly string[]): readonly string[] {
  const isFit = path.length > 0 && path.every((name) => name.trim() !== '' && !/[\u00a0<>]/.test(name));
  return isFit ? path : unfit('Waypost has no such names.');
}

/** Adds modifiers to the value. @throws Unfit if there are texts around it, or too many modifiers. */
export function modified(shown: Shown, ...modifiers: readonly Modifier[]): Shown {
  bare(shown);
  if (shown.value.kind === 'text') unfit('Waypost has no modifiers for fixed text: write the result.');
  if (shown.modifiers.length + modifiers.length > MAX_FOREIGN_PARTS)
    unfit('There are too many filters.', 'beyond_bounds');
  return { ...shown, modifiers: [...shown.modifiers, ...modifiers] };
}

export function noted(shown: Shown, note: string): Shown {
  return shown.notes.includes(note) ? shown : { ...shown, notes: [...shown.notes, note] };
}

/** @throws Unfit if there are texts around the value. */
export function bare(shown: Shown): Shown {
  const isBare = shown.before === '' && shown.after === '';
  return isBare ? shown : unfit('Waypost cannot change a value together with the text around it.');
}

/** The value as an operand, without modifiers. @throws Unfit */
export function operandIn(shown: Shown): Operand {
  const { value } = bare(shown);
  if (shown.modifiers.length > 0 || value.kind === 'sum' || value.kind === 'product')
    return unfit('Waypost only accepts a plain value here.');
  return value;
}

/** The value for a comparison or a loop. @throws Unfit */
export function pipedIn(shown: Shown): PipedValue {
  const { value, modifiers } = bare(shown);
  return { value, modifiers };
}

type Operator = Sum['rest'][number]['operator'] | Product['rest'][number]['operator'];

/** `shown operator operand`. @throws Unfit if NLT, which has no parentheses, would compute something else. */
export function computed(shown: Shown, operator: Operator, operand: Operand): Shown {
  const { value, modifiers } = bare(shown);
  if (modifiers.length > 0) unfit('Waypost cannot calculate with a value that has modifiers.');
  if ([value, operand].some(({ kind }) => kind === 'text' || kind === 'moment' || kind === 'boolean'))
    unfit('Waypost can only calculate with numbers.');
  const isSum = operator === 'plus' || operator === 'minus';
  if ('rest' in value && value.rest.length >= MAX_FOREIGN_PARTS)
    unfit('The calculation is too long.', 'beyond_bounds');
  if (isSum) {
    const first = value.kind === 'sum' ? value.first : value;
    const rest = value.kind === 'sum' ? value.rest : [];
    return { ...shown, value: { kind: 'sum', first, rest: [...rest, { operator, value: operand }] } };
  }
  if (value.kind === 'sum') return unfit('Waypost has no parentheses: a sum cannot be multiplied.');
  const first = value.kind === 'product' ? value.first : value;
  const rest = value.kind === 'product' ? value.rest : [];
  return { ...shown, value: { kind: 'product', first, rest: [...rest, { operator, value: operand }] } };
}

/** The pieces that show the value. @throws Unfit */
export function piecesOf(shown: Shown): readonly Piece[] {
  const { value, modifiers, before, after } = shown;
  const pieces: Piece[] = [{ kind: 'text', text: before }];
  if (value.kind === 'text') pieces.push({ kind: 'text', text: value.text });
  else if (value.kind === 'number' && modifiers.length === 0)
    pieces.push({ kind: 'text', text: value.digits });
  else pieces.push({ kind: 'nlt', text: expressionOf({ value, modifiers }) });
  pieces.push({ kind: 'text', text: after });
  return pieces.filter(({ text }) => text !== '');
}

function expressionOf(piped: PipedValue): string {
  if (!beginsExpression(piped.value)) unfit('A Waypost expression starts with a named value.');
  const written = `{${printPipedValue(piped)}}`;
  return written.length > MAX_BLOCK_LENGTH ? unfit('It would become too long.', 'beyond_bounds') : written;
}

function beginsExpression(value: Value): boolean {
  if (value.kind === 'sum' || value.kind === 'product') return beginsExpression(value.first);
  return value.kind === 'reference' || value.kind === 'moment';
}
