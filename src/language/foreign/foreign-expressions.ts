/**
 * Parses values and conditions of Liquid and Django templates. Both have paths followed by filters, and comparisons
 * without parentheses; they differ in precedence.
 */
import { MAX_FOREIGN_PARTS } from './foreign-limits.js';
import type { ForeignCursor } from './foreign-tokens.js';
import { unsupported } from './unsupported.js';

/** The root of Braze's `${name}`: a field of the user. */
export const BRAZE_USER = '$';

export type ForeignValue =
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** `nil`, or `empty` and `blank`, which are only used in comparisons. */
  | { readonly kind: 'nil' | 'empty' };

export interface ForeignFilter {
  readonly name: string;
  readonly args: readonly ForeignValue[];
  /** Names of the keyword arguments. */
  readonly named: readonly string[];
}

/** A value followed by filters. */
export interface FilteredValue {
  readonly value: ForeignValue;
  readonly filters: readonly ForeignFilter[];
}

export type ForeignComparator = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'contains' | 'in' | 'not in';

export type ForeignCondition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ForeignCondition[] }
  | { readonly kind: 'not'; readonly part: ForeignCondition }
  | { readonly kind: 'truth'; readonly value: FilteredValue }
  | {
      readonly kind: 'compared';
      readonly left: FilteredValue;
      readonly comparator: ForeignComparator;
      readonly right: FilteredValue;
    };

/** The syntax of a source's expressions. */
export interface Grammar {
  /**
   * `right`: `and` and `or` have equal precedence and group from the right, as in Liquid; `python`: the order is `not`,
   * `and`, `or`.
   */
  readonly junctions: 'right' | 'python';
  readonly constants: ReadonlyMap<string, ForeignValue>;
}

export const LIQUID_GRAMMAR: Grammar = {
  junctions: 'right',
  constants: new Map<string, ForeignValue>([
    ['true', { kind: 'boolean', value: true }],
    ['false', { kind: 'boolean', value: false }],
    ['nil', { kind: 'nil' }],
    ['null', { kind: 'nil' }],
    ['empty', { kind: 'empty' }],
    ['blank', { kind: 'empty' }],
  ]),
};

export const DJANGO_GRAMMAR: Grammar = {
  junctions: 'python',
  constants: new Map<string, ForeignValue>([
    ['True', { kind: 'boolean', value: true }],
    ['true', { kind: 'boolean', value: true }],
    ['False', { kind: 'boolean', value: false }],
    ['false', { kind: 'boolean', value: false }],
    ['None', { kind: 'nil' }],
  ]),
};

/** Parses a value with its filters. @throws Unfit */
export function parseFiltered(cursor: ForeignCursor, grammar: Grammar): FilteredValue {
  const value = parseValue(cursor, grammar);
  const filters: ForeignFilter[] = [];
  while (cursor.accept('|')) {
    if (filters.length === MAX_FOREIGN_PARTS) unsupported('There are too many filters.', 'beyond_bounds');
    filters.push(parseFilter(cursor, grammar));
  }
  return { value, filters };
}

/** Parses one value without filters. @throws Unfit */
export function parseValue(cursor: ForeignCursor, grammar: Grammar): ForeignValue {
  const text = cursor.acceptKind('text');
  if (text !== null) return { kind: 'text', text };
  const digits = cursor.acceptKind('number');
  if (digits !== null) return { kind: 'number', digits };
  const braze = cursor.acceptKind('braze');
  if (braze !== null) return { kind: 'path', path: parsePath(cursor, [BRAZE_USER, nameIn(braze)]) };
  if (cursor.at('(')) unsupported('Waypost has no ranges and no parentheses.');
  const name = cursor.acceptKind('name') ?? cursor.fail();
  const constant = grammar.constants.get(name);
  if (constant !== undefined && !cursor.at('.') && !cursor.at('[')) return constant;
  return { kind: 'path', path: parsePath(cursor, [name]) };
}

function parsePath(cursor: ForeignCursor, path: string[]): readonly string[] {
  for (;;) {
    if (path.length > MAX_FOREIGN_PARTS) unsupported('The name is too long.', 'beyond_bounds');
    if (cursor.accept('.')) path.push(parseKey(cursor));
    else if (cursor.accept('[')) {
      path.push(cursor.acceptKind('text') ?? acceptIndex(cursor) ?? parseKeyInBraces(cursor));
      cursor.expect(']');
    } else return path;
  }
}

function parseKey(cursor: ForeignCursor): string {
  const braze = cursor.acceptKind('braze');
  if (braze !== null) return nameIn(braze);
  return cursor.acceptKind('name') ?? acceptIndex(cursor) ?? cursor.fail();
}

/**
 * Parses the index of an entry, -1 for the last one; null if there is none. @throws Unfit for an index that NLT lacks
 */
function acceptIndex(cursor: ForeignCursor): string | null {
  const written = cursor.acceptKind('number');
  if (written === null || written === '-1' || /^\d{1,6}$/.test(written)) return written;
  return unsupported('Waypost only counts list entries from 0 and from the start.');
}

function parseKeyInBraces(cursor: ForeignCursor): string {
  const braze = cursor.acceptKind('braze');
  return braze === null ? unsupported('Waypost cannot read a field whose name is a value.') : nameIn(braze);
}

function nameIn(braze: string): string {
  return braze === '' ? unsupported('This does not parse.', 'unreadable') : braze;
}

function parseFilter(cursor: ForeignCursor, grammar: Grammar): ForeignFilter {
  const name = cursor.acceptKind('name') ?? cursor.fail();
  const args: ForeignValue[] = [];
  const named: string[] = [];
  if (!cursor.accept(':')) return { name, args, named };
  do {
    if (args.length + named.length === MAX_FOREIGN_PARTS)
      unsupported('There are too many arguments.', 'beyond_bounds');
    if (cursor.peek()?.kind === 'name' && cursor.at(':', 1)) {
      named.push(cursor.acceptKind('name') ?? '');
      cursor.expect(':');
      parseValue(cursor, grammar);
    } else {
      args.push(parseValue(cursor, grammar));
    }
  } while (cursor.accept(','));
  return { name, args, named };
}

/** Parses a condition up to the end of the block. @throws Unfit */
export function parseForeignCondition(cursor: ForeignCursor, grammar: Grammar): ForeignCondition {
  const condition =
    grammar.junctions === 'right' ? parseFromRight(cursor, grammar) : parseJunction(cursor, grammar, 'or');
  cursor.expectEnd();
  return condition;
}

/** Liquid's grouping: `a and b or c` is `a and (b or c)`. */
function parseFromRight(cursor: ForeignCursor, grammar: Grammar): ForeignCondition {
  const comparisons = [parseComparison(cursor, grammar)];
  const junctions: ('and' | 'or')[] = [];
  for (;;) {
    const junction = cursor.accept('and') ? 'and' : cursor.accept('or') ? 'or' : null;
    if (junction === null) break;
    if (junctions.length === MAX_FOREIGN_PARTS) unsupported('The condition is too long.', 'beyond_bounds');
    junctions.push(junction);
    comparisons.push(parseComparison(cursor, grammar));
  }
  return comparisons.reduceRight((right, left, index) => {
    const kind = junctions[index] ?? 'and';
    return { kind, parts: right.kind === kind ? [left, ...right.parts] : [left, right] };
  });
}

function parseJunction(cursor: ForeignCursor, grammar: Grammar, kind: 'and' | 'or'): ForeignCondition {
  const parse = (): ForeignCondition =>
    kind === 'or' ? parseJunction(cursor, grammar, 'and') : parseNot(cursor, grammar);
  const first = parse();
  const parts = [first];
  while (cursor.accept(kind)) {
    if (parts.length === MAX_FOREIGN_PARTS) unsupported('The condition is too long.', 'beyond_bounds');
    parts.push(parse());
  }
  return parts.length === 1 ? first : { kind, parts };
}

function parseNot(cursor: ForeignCursor, grammar: Grammar): ForeignCondition {
  let negated = false;
  while (cursor.accept('not')) negated = !negated;
  const part = parseComparison(cursor, grammar);
  return negated ? { kind: 'not', part } : part;
}

const COMPARATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;

function parseComparison(cursor: ForeignCursor, grammar: Grammar): ForeignCondition {
  const left = parseFiltered(cursor, grammar);
  const comparator = acceptComparator(cursor);
  if (comparator === null) return { kind: 'truth', value: left };
  return { kind: 'compared', left, comparator, right: parseFiltered(cursor, grammar) };
}

function acceptComparator(cursor: ForeignCursor): ForeignComparator | null {
  const sign = COMPARATORS.find((candidate) => cursor.accept(candidate));
  if (sign !== undefined) return sign;
  if (cursor.accept('<>')) return '!=';
  if (cursor.accept('contains')) return 'contains';
  if (cursor.accept('in')) return 'in';
  if (cursor.at('not') && cursor.at('in', 1)) {
    cursor.accept('not');
    cursor.accept('in');
    return 'not in';
  }
  if (!cursor.accept('is')) return null;
  return cursor.accept('not') ? '!=' : '==';
}
