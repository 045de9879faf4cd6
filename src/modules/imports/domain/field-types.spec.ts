import type { JsonValue } from '../../../kernel/json.js';
import { type FieldType, suggestedTypes, typedValue } from './field-types.js';

test.each<[string, readonly unknown[], FieldType | undefined]>([
  ['ltv', ['12', '0', '-3.50', ''], 'number'],
  ['ltv', ['12', 'n/a'], 'text'],
  ['ltv', ['12,5'], 'text'],
  ['ltv', ['1234567890123456'], 'text'],
  ['agent', ['007'], 'text'],
  ['agent', ['12', '007'], 'text'],
  ['signed', ['+43660'], 'text'],
  ['zip', ['10115'], 'text'],
  ['PLZ', ['10115'], 'text'],
  ['Postal Code', ['10115'], 'text'],
  ['Mobile phone', ['436601234567'], 'text'],
  ['customerId', ['17'], 'text'],
  ['invoice_number', ['17'], 'text'],
  ['active', ['TRUE', 'false'], 'boolean'],
  ['active', ['WAHR', 'FALSCH'], 'boolean'],
  ['active', ['yes', 'no'], 'boolean'],
  ['active', ['1', '0'], 'number'],
  ['active', ['yes', 'perhaps'], 'text'],
  ['grade', ['x', 'y'], 'text'],
  ['joined', ['2026-11-26'], 'date'],
  [
    'joined',
    ['2026-11-26 10:11:12', '2026-11-26T10:11:12', '1795687872', '2026-11-26T10:11:12+0000'],
    'date',
  ],
  ['joined', ['1795687872'], 'number'],
  ['joined', ['26.11.2026'], 'text'],
  ['plan', ['pro'], 'text'],
  ['count', [1, 2], 'number'],
  ['isPro', [true], 'boolean'],
  ['mixed', [1, 'a'], undefined],
  ['list', [['a']], undefined],
  ['none', ['', null, undefined], undefined],
])('%s: %j is suggested as %s', (name, values, expected) => {
  const records = values.map((value) => ({ [name]: value }));
  expect(suggestedTypes(records, [name])).toEqual(expected === undefined ? {} : { [name]: expected });
});

test.each<[FieldType, JsonValue, JsonValue | undefined]>([
  ['number', '12', 12],
  ['number', ' +12.50 ', 12.5],
  ['number', '007', 7],
  ['number', 12, 12],
  ['number', 'n/a', undefined],
  ['number', '1e5', undefined],
  ['number', '12345678901234567', undefined],
  ['number', true, undefined],
  ['boolean', 'WAHR', true],
  ['boolean', '0', false],
  ['boolean', true, true],
  ['boolean', 1, true],
  ['boolean', 'perhaps', undefined],
  ['date', '2026-11-26 10:11:12', '2026-11-26T10:11:12.000Z'],
  ['date', '2026-11-26T10:11:12+0000', '2026-11-26T10:11:12.000Z'],
  ['date', '1795687872', '2026-11-26T10:11:12.000Z'],
  ['date', 1795687872, '2026-11-26T10:11:12.000Z'],
  ['date', '2026-11-26', '2026-11-26'],
  ['date', '26.11.2026', undefined],
  ['text', '007', '007'],
  ['text', 7, '7'],
  ['text', ['a'], undefined],
  ['number', { a: 1 }, undefined],
])('as a %s, %j is %j', (type, value, expected) => {
  expect(typedValue(type, value)).toEqual(expected);
});
