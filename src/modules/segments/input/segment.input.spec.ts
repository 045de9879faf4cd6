/** Tests the input of segments. */
import { DomainError } from '../../../kernel/domain-error.js';
import { readSegment } from './segment.input.js';

const VIP = { field: 'tags', operator: 'contains', value: 'vip' };

test('a name is enough: everybody', () =>
  expect(readSegment({ name: 'All' })).toEqual({
    name: 'All',
    description: '',
    match: 'all',
    conditions: [],
  }));

test('what is posted is kept as it is', () => {
  const posted = { name: ' VIPs ', description: 'Dear ones', match: 'any', conditions: [VIP] };
  expect(readSegment(posted)).toEqual(posted);
});

test('lengths are those of characters', () => {
  const long = '😀'.repeat(255);
  const conditions = [
    { ...VIP, value: [long] },
    { field: `properties.${long}`, operator: 'equals', value: long },
  ];
  const posted = { name: long, description: '', match: 'all', conditions };
  expect(readSegment(posted)).toEqual(posted);
});

test.each<[string, unknown, string, string[]]>([
  ['no object', [], 'validation_error', []],
  ['no name', { conditions: [] }, 'validation_error', ['name']],
  ['a blank name', { name: ' ' }, 'invalid_field', ['name']],
  ['a name that is no text', { name: 1 }, 'invalid_field', ['name']],
  ['a long name', { name: 'x'.repeat(256) }, 'invalid_field', ['name']],
  ['NUL in the name', { name: 'a\0' }, 'invalid_field', ['name']],
  ['a long description', { name: 'a', description: 'x'.repeat(1_001) }, 'invalid_field', ['description']],
  ['something else', { name: 'a', colour: 'red' }, 'invalid_field', ['colour']],
  ['another match', { name: 'a', match: 'none' }, 'invalid_field', ['match']],
  [
    'a bad operator',
    { name: 'a', conditions: [VIP, { ...VIP, operator: 'like' }] },
    'invalid_filter_operator',
    ['conditions[1].operator'],
  ],
  [
    'all that is wrong',
    { name: ' ', match: 'none', conditions: [{ ...VIP, operator: 'like' }], colour: 'red' },
    'invalid_filter_operator',
    ['conditions[0].operator', 'name', 'match', 'colour'],
  ],
  [
    'a bad condition and no name',
    { conditions: [{ field: 7 }] },
    'invalid_field',
    ['conditions[0].field', 'name'],
  ],
])('%s is refused', (_, input, code, fields) => {
  try {
    readSegment(input);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, (error.fields.errors ?? []).map(({ field }) => field)]).toEqual([code, fields]);
    return;
  }
  throw new Error('It was accepted.');
});
