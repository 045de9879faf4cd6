/** A foreign value during conversion to NLT: a value with modifiers, and the texts that filters add around it. */
import { printPipedValue } from '../nlt/formatter.js';
import { MAX_BLOCK_LENGTH } from '../nlt/limits.js';
import type { Modifier, Operand, PipedValue, Product, Reference, Sum, Value } from '../nlt/tree.js';
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { Piece } from './foreign-source.js';
import { unsupported } from './unsupported.js';

export interface ShownValue {
  readonly value: Value;
  readonly modifiers: readonly Modifier[];
  /** Texts around the value, shown even if the value is missing. */
  readonly before: string;
  readonly after: string;
  /** Differences in NLT, one sentence each. */
  readonly notes: readonly string[];
}

export function shownOf(value: Value): ShownValue {
  return { value, modifiers: [], before: '', after: '', notes: [] };
}

export function contactField(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'contact', event: null, path: requireValidPath(path) };
}

export function triggerField(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'trigger', event: null, path: requireValidPath(path) };
}

export function shortField(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'short', event: null, path: requireValidPath(path) };
}

function requireValidPath(path: readonly string[]): readonly string[] {
  const isValid = path.length > 0 && path.every((name) => name.trim() !== '' && !/[\u00a0<>]/.test(name));
  return isValid ? path : unsupported('Waypost has no such names.');
}

/** Adds modifiers to the value. @throws Unfit if there are texts around it, or too many modifiers. */
export function addModifiers(shown: ShownValue, ...modifiers: readonly Modifier[]): ShownValue {
  requireBare(shown);
  if (shown.value.kind === 'text') unsupported('Waypost has no modifiers for fixed text: write the result.');
  if (shown.modifiers.length + modifiers.length > MAX_FOREIGN_PARTS)
    unsupported('There are too many filters.', 'beyond_bounds');
  return { ...shown, modifiers: [...shown.modifiers, ...modifiers] };
}

export function withNote(shown: ShownValue, note: string): ShownValue {
  return shown.notes.includes(note) ? shown : { ...shown, notes: [...shown.notes, note] };
}

/** @throws Unfit if there are texts around the value. */
export function requireBare(shown: ShownValue): ShownValue {
  const isBare = shown.before === '' && shown.after === '';
  return isBare ? shown : unsupported('Waypost cannot change a value together with the text around it.');
}

/** The value as an operand, without modifiers. @throws Unfit */
export function operandIn(shown: ShownValue): Operand {
  const { value } = requireBare(shown);
  if (shown.modifiers.length > 0 || value.kind === 'sum' || value.kind === 'product')
    return unsupported('Waypost only accepts a plain value here.');
  return value;
}

/** The value for a comparison or a loop. @throws Unfit */
export function pipedIn(shown: ShownValue): PipedValue {
  const { value, modifiers } = requireBare(shown);
  return { value, modifiers };
}

type Operator = Sum['rest'][number]['operator'] | Product['rest'][number]['operator'];

/** `shown operator operand`. @throws Unfit if NLT, which has no parentheses, would compute something else. */
export function withArithmetic(shown: ShownValue, operator: Operator, operand: Operand): ShownValue {
  const { value, modifiers } = requireBare(shown);
  if (modifiers.length > 0) unsupported('Waypost cannot calculate with a value that has modifiers.');
  if ([value, operand].some(({ kind }) => kind === 'text' || kind === 'moment' || kind === 'boolean'))
    unsupported('Waypost can only calculate with numbers.');
  const isSum = operator === 'plus' || operator === 'minus';
  if ('rest' in value && value.rest.length >= MAX_FOREIGN_PARTS)
    unsupported('The calculation is too long.', 'beyond_bounds');
  if (isSum) {
    const first = value.kind === 'sum' ? value.first : value;
    const rest = value.kind === 'sum' ? value.rest : [];
    return { ...shown, value: { kind: 'sum', first, rest: [...rest, { operator, value: operand }] } };
  }
  if (value.kind === 'sum') return unsupported('Waypost has no parentheses: a sum cannot be multiplied.');
  const first = value.kind === 'product' ? value.first : value;
  const rest = value.kind === 'product' ? value.rest : [];
  return { ...shown, value: { kind: 'product', first, rest: [...rest, { operator, value: operand }] } };
}

/** The pieces that show the value. @throws Unfit */
export function piecesOf(shown: ShownValue): readonly Piece[] {
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
  if (!beginsExpression(piped.value)) unsupported('A Waypost expression starts with a named value.');
  const written = `{${printPipedValue(piped)}}`;
  return written.length > MAX_BLOCK_LENGTH
    ? unsupported('It would become too long.', 'beyond_bounds')
    : written;
}

function beginsExpression(value: Value): boolean {
  if (value.kind === 'sum' || value.kind === 'product') return beginsExpression(value.first);
  return value.kind === 'reference' || value.kind === 'moment';
}
