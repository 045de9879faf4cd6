/**
 * The operators of filters, in one table: their names, the fields they apply to, their operands, and their cost. The
 * reader, the errors and the API documents all follow it.
 */
import type { FieldRef, TagCondition, ValueTest } from './filter.js';

/** The kind of field: a standard field with a text or a moment, or a path into properties or attributes. */
export type FieldRefKind = FieldRef['kind'];

/** The type of a condition's `value`. */
export type Operand = 'nothing' | 'value' | 'values' | 'part' | 'number' | 'moment' | 'day' | 'days';

interface Operator {
  readonly of: readonly FieldRefKind[];
  readonly takes: Operand;
  /** Other names, known from similar products. */
  readonly aliases?: readonly string[];
  /** Searches within a text, for which there is no index. */
  readonly searches?: true;
}

type Table = Readonly<Record<string, Operator>>;

const ANY = ['text', 'moment', 'json'] as const;
const TEXT = ['text', 'json'] as const;
const NUMBER = ['json'] as const;
const MOMENT = ['moment', 'json'] as const;

export const OPERATORS = {
  exists: { of: ANY, takes: 'nothing', aliases: ['is_set'] },
  not_exists: { of: ANY, takes: 'nothing', aliases: ['is_not_set'] },
  equals: { of: TEXT, takes: 'value', aliases: ['is', 'eq'] },
  not_equals: { of: TEXT, takes: 'value', aliases: ['is_not', 'neq'] },
  in: { of: TEXT, takes: 'values' },
  not_in: { of: TEXT, takes: 'values' },
  contains: { of: TEXT, takes: 'part', searches: true },
  not_contains: { of: TEXT, takes: 'part', searches: true },
  starts_with: { of: TEXT, takes: 'part', searches: true },
  ends_with: { of: TEXT, takes: 'part', searches: true },
  greater_than: { of: NUMBER, takes: 'number', aliases: ['gt'] },
  greater_than_or_equal: { of: NUMBER, takes: 'number', aliases: ['gte'] },
  less_than: { of: NUMBER, takes: 'number', aliases: ['lt'] },
  less_than_or_equal: { of: NUMBER, takes: 'number', aliases: ['lte'] },
  before: { of: MOMENT, takes: 'moment' },
  after: { of: MOMENT, takes: 'moment' },
  on: { of: MOMENT, takes: 'day' },
  within_last_days: { of: MOMENT, takes: 'days' },
  more_than_days_ago: { of: MOMENT, takes: 'days' },
  within_next_days: { of: MOMENT, takes: 'days' },
} as const satisfies Table & Readonly<Record<ValueTest['operator'], Operator>>;

export type OperatorName = keyof typeof OPERATORS;

/** The operators with an operand of this kind. */
export type OperatorTaking<Kind extends Operand> = {
  [Name in OperatorName]: (typeof OPERATORS)[Name]['takes'] extends Kind ? Name : never;
}[OperatorName];

const TABLE: Readonly<Record<OperatorName, Operator>> = OPERATORS;
const NAMES = Object.keys(OPERATORS) as OperatorName[];

/** The operators that apply to a kind of field. */
export const OPERATORS_OF: Readonly<Record<FieldRefKind, readonly OperatorName[]>> = {
  text: allOf('text'),
  moment: allOf('moment'),
  json: allOf('json'),
};

function allOf(kind: FieldRefKind): OperatorName[] {
  return NAMES.filter((name) => TABLE[name].of.includes(kind));
}

const OPERATORS_BY_NAME: ReadonlyMap<unknown, OperatorName> = new Map(
  NAMES.flatMap((name) => [name, ...(TABLE[name].aliases ?? [])].map((written) => [written, name])),
);

/** The operator with this name or alias, if it applies to the kind of field; otherwise undefined. */
export function operatorOf(written: unknown, kind: FieldRefKind): OperatorName | undefined {
  const name = OPERATORS_BY_NAME.get(written);
  return name !== undefined && TABLE[name].of.includes(kind) ? name : undefined;
}

export function operandOf(name: OperatorName): Operand {
  return TABLE[name].takes;
}

export function isSearch(name: OperatorName): boolean {
  return TABLE[name].searches ?? false;
}

/** For tags: whether the contact has any, all or none of the named ones. */
export const TAG_OPERATORS = {
  contains: 'any',
  equals: 'any',
  in: 'any',
  has_any: 'any',
  has_all: 'all',
  not_contains: 'none',
  not_equals: 'none',
  not_in: 'none',
  has_none: 'none',
} as const satisfies Readonly<Record<string, TagCondition['quantity']>>;

/** For an event: whether it was done. */
export const EVENT_OPERATORS = { has_done: true, has_not_done: false } as const;

/** For a segment: whether the contact is in it. */
export const SEGMENT_OPERATORS = { in: true, not_in: false } as const;

/** The table's entry for a name, ignoring properties that every object inherits. */
export function lookUp<Meaning>(
  table: Readonly<Record<string, Meaning>>,
  written: unknown,
): Meaning | undefined {
  return typeof written === 'string' && Object.hasOwn(table, written) ? table[written] : undefined;
}
