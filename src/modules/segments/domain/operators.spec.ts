/**
 * Tests the table of operators against the reader: each operator accepts its operands, in its fields, and nothing
 * else.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import { OPERATORS, type Operand, type OperatorName, type FieldRefKind } from './operators.js';
import { readFilter } from './read-filter.js';

const NAMES = Object.keys(OPERATORS) as OperatorName[];
const FIELDS: Readonly<Record<FieldRefKind, string>> = {
  text: 'email',
  moment: 'created_at',
  json: 'properties.plan',
};
const KINDS = Object.keys(FIELDS) as FieldRefKind[];
/** Operands that are valid for one kind only. */
const OPERANDS: Readonly<Record<Operand, unknown>> = {
  nothing: undefined,
  value: true,
  values: ['a', 1],
  part: 'a',
  number: 1.5,
  moment: '2026-03-02T09:00:00Z',
  day: '2026-03-02',
  days: 30,
};
/** Further kinds that an operand is valid for: a day is also a moment and a text, days are a number, and so on. */
const ALSO: Readonly<Record<Operand, readonly Operand[]>> = {
  nothing: [],
  value: ['part', 'number', 'moment', 'day', 'days'],
  values: [],
  part: ['moment', 'day'],
  number: ['days'],
  moment: ['day'],
  day: [],
  days: [],
};

/** The operator that is read, or the error code with the field. */
function read(field: string, operator: string, value: unknown): string {
  try {
    const conditions = [{ field, operator, ...(value === undefined ? {} : { value }) }];
    const [condition] = readFilter({ match: 'all', conditions }).conditions;
    return condition?.kind === 'field' ? condition.test.operator : 'none';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code} ${error.fields.errors?.[0]?.field}`;
  }
}

test.each(NAMES)('%s is read by each of its names, where it may be asked', (name) => {
  const { of, takes, ...more } = OPERATORS[name];
  const names = [name, ...('aliases' in more ? more.aliases : [])];
  for (const kind of KINDS)
    for (const written of names) {
      const isOf = (of as readonly FieldRefKind[]).includes(kind);
      const outcome = isOf ? name : 'invalid_filter_operator conditions[0].operator';
      expect([kind, read(FIELDS[kind], written, OPERANDS[takes])]).toEqual([kind, outcome]);
    }
});

test.each(NAMES)('%s takes its operand and no other', (name) => {
  const { takes } = OPERATORS[name];
  const taken = (Object.keys(OPERANDS) as Operand[]).filter(
    (operand) => read(FIELDS.json, name, OPERANDS[operand]) === name,
  );
  expect(taken.sort()).toEqual([takes, ...ALSO[takes]].sort());
});

test('a name that every object has is no operator', () =>
  expect(read('email', 'constructor', 'a')).toBe('invalid_filter_operator conditions[0].operator'));
