/** Tests what a filter may contain, operator by operator, and how everything else is rejected. */
import { DomainError } from '../../../kernel/domain-error.js';
import { readFilter } from './read-filter.js';

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeec';

/** Reads a filter of one condition and returns it. */
function read(condition: unknown): unknown {
  return readFilter({ match: 'all', conditions: [condition] }).conditions[0];
}

/** The error code, and the fields in the error relative to the condition. */
function refusal(input: object): [string, ...string[]] {
  try {
    readFilter({ ...input });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [
      error.code,
      ...(error.fields.errors ?? []).map(({ field }) => field.replace(/^conditions\[0\]\.?/, '')),
    ];
  }
  return ['accepted'];
}
const refused = (condition: unknown): [string, ...string[]] =>
  refusal({ match: 'all', conditions: [condition] });

const PRESENCE = ['exists', 'not_exists'];
const EQUALITY = ['equals', 'not_equals'];
const CHOICE = ['in', 'not_in'];
const PART = ['contains', 'not_contains', 'starts_with', 'ends_with'];
const NUMBER = ['greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal'];
const MOMENT = ['before', 'after'];
const DAYS = ['within_last_days', 'more_than_days_ago', 'within_next_days'];
const ALL = [...PRESENCE, ...EQUALITY, ...CHOICE, ...PART, ...NUMBER, ...MOMENT, 'on', ...DAYS];

/** A valid value of the operator, and the test it is parsed to. */
function sampleOf(operator: string): { value?: unknown; test: object } {
  if (PRESENCE.includes(operator)) return { test: {} };
  if (EQUALITY.includes(operator)) return { value: 'Pro', test: { value: 'Pro' } };
  if (CHOICE.includes(operator)) return { value: ['a', 'B'], test: { values: ['a', 'B'] } };
  if (PART.includes(operator)) return { value: 'Pro', test: { text: 'pro' } };
  if (NUMBER.includes(operator)) return { value: 1.5, test: { number: 1.5 } };
  if (DAYS.includes(operator)) return { value: 7, test: { days: 7 } };
  if (operator === 'on') return { value: '2026-03-01', test: { day: '2026-03-01' } };
  return {
    value: '2026-03-01T10:00:00+02:00',
    test: { moment: new Date('2026-03-01T08:00:00.000Z') },
  };
}

describe.each([
  ['a text', 'email', { kind: 'text', field: 'email' }, [...PRESENCE, ...EQUALITY, ...CHOICE, ...PART]],
  ['a moment', 'created_at', { kind: 'moment', field: 'createdAt' }, [...PRESENCE, ...MOMENT, 'on', ...DAYS]],
  ['a property', 'properties.a.b c', { kind: 'json', path: ['a', 'b c'] }, ALL],
])('%s', (_, field, fieldRef, supported) => {
  test.each(ALL.filter((operator) => supported.includes(operator)))('is asked %s', (operator) => {
    const { test: expected, ...value } = sampleOf(operator);
    expect(read({ field, operator, ...value })).toEqual({
      kind: 'field',
      fieldRef,
      test: { operator, ...expected },
    });
  });

  const others = ALL.filter((operator) => !supported.includes(operator));
  if (others.length > 0)
    test.each(others)('is not asked %s', (operator) =>
      expect(refused({ field, operator, value: sampleOf(operator).value })).toEqual([
        'invalid_filter_operator',
        'operator',
      ]),
    );
});

test.each([
  ['is_set', 'exists'],
  ['is_not_set', 'not_exists'],
  ['is', 'equals'],
  ['is_not', 'not_equals'],
  ['eq', 'equals'],
  ['neq', 'not_equals'],
  ['gt', 'greater_than'],
  ['gte', 'greater_than_or_equal'],
  ['lt', 'less_than'],
  ['lte', 'less_than_or_equal'],
])('%s is %s', (alias, operator) => {
  const { value } = sampleOf(operator);
  expect(read({ field: 'properties.n', operator: alias, value })).toEqual(
    read({ field: 'properties.n', operator, value }),
  );
});

test.each([
  ['a number, of a text', 'email', 42, '42'],
  ['a truth value, of a text', 'email', true, 'true'],
  ['a number, of a property', 'properties.n', 42, 42],
  ['a truth value, of a property', 'properties.n', false, false],
])('%s is compared as what it is there', (_, field, value, expected) =>
  expect(read({ field, operator: 'equals', value })).toMatchObject({ test: { value: expected } }),
);

test.each(['a.', '.a', 'a..b', 'größe.ärmel'])('a property may be called %s', (name) =>
  expect(read({ field: `properties.${name}`, operator: 'exists' })).toMatchObject({
    fieldRef: { path: name.split('.') },
  }),
);

test.each([
  ['contains', 'any'],
  ['equals', 'any'],
  ['in', 'any'],
  ['has_any', 'any'],
  ['has_all', 'all'],
  ['not_contains', 'none'],
  ['not_equals', 'none'],
  ['not_in', 'none'],
  ['has_none', 'none'],
])('tags: %s asks for %s of them', (operator, quantity) => {
  expect(read({ field: 'tags', operator, value: 'VIP' })).toEqual({ kind: 'tags', quantity, tags: ['VIP'] });
  expect(read({ field: 'tags', operator, value: ['a', 'b', 'a'] })).toMatchObject({ tags: ['a', 'b'] });
});

const DONE = { kind: 'event', eventName: 'paid', atLeast: 1, atMost: null, withinDays: null, where: [] };

test.each([
  ['at all', {}, {}],
  ['so often', { at_least: 2, at_most: 5 }, { atLeast: 2, atMost: 5 }],
  ['seldom, or never', { at_least: 0, at_most: 3 }, { atLeast: 0, atMost: 3 }],
  ['lately', { within_days: 30 }, { withinDays: 30 }],
  ['with nulls for what is left out', { at_least: null, within_days: null }, {}],
  ['never', { operator: 'has_not_done' }, { atLeast: 0, atMost: 0 }],
  ['less often', { operator: 'has_not_done', at_least: 3 }, { atLeast: 0, atMost: 2 }],
  [
    'in a certain way',
    { where: [{ field: 'card.brand', operator: 'is_set' }] },
    { where: [{ path: ['card', 'brand'], test: { operator: 'exists' } }] },
  ],
])('an event done %s', (_, asked, expected) =>
  expect(read({ event: 'paid', operator: 'has_done', ...asked })).toEqual({ ...DONE, ...expected }),
);

test.each([
  ['in', {}, true],
  ['in', { operator: 'in' }, true],
  ['not in', { operator: 'not_in' }, false],
])('%s another segment', (_, asked, isMember) =>
  expect(read({ segment_id: ID.toUpperCase(), ...asked })).toEqual({
    kind: 'segment',
    segmentId: ID,
    isMember,
  }),
);

test('groups stand in groups', () =>
  expect(read({ match: 'any', conditions: [{ match: 'all', conditions: [] }] })).toEqual({
    kind: 'group',
    match: 'any',
    conditions: [{ kind: 'group', match: 'all', conditions: [] }],
  }));

describe('a condition is refused', () => {
  const field = 'properties.n';
  test.each<[string, unknown, string]>([
    ['that is no object', 'email', ''],
    ['that is null', null, ''],
    ['without a field', { operator: 'equals', value: 1 }, 'field'],
    ['with a field that is no text', { field: 1, operator: 'equals', value: 1 }, 'field'],
    ['with an unknown field', { field: 'shoe_size', operator: 'exists' }, 'field'],
    ['with the properties as a whole', { field: 'properties', operator: 'exists' }, 'field'],
    ['without a name behind properties', { field: 'properties.', operator: 'exists' }, 'field'],
    ['with NUL in its path', { field: 'properties.a\0', operator: 'exists' }, 'field'],
    ['with eleven names', { field: `properties.${'a.'.repeat(10)}a`, operator: 'exists' }, 'field'],
    ['with something else', { field, operator: 'exists', unit: 'cm' }, 'unit'],
    ['with a value where none belongs', { field, operator: 'exists', value: 1 }, 'value'],
    ['without a value', { field, operator: 'equals' }, 'value'],
    ['with an object as value', { field, operator: 'equals', value: {} }, 'value'],
    ['with null as value', { field, operator: 'not_equals', value: null }, 'value'],
    ['with a list as value', { field, operator: 'equals', value: [1] }, 'value'],
    ['with a long text', { field, operator: 'equals', value: 'x'.repeat(256) }, 'value'],
    ['with half a character', { field, operator: 'equals', value: '\ud800' }, 'value'],
    ['with no end of numbers', { field, operator: 'equals', value: Infinity }, 'value'],
    ['with no end of numbers below', { field, operator: 'greater_than', value: -Infinity }, 'value'],
    ['with a choice that is no list', { field, operator: 'in', value: 'a' }, 'value'],
    ['with an empty choice', { field, operator: 'in', value: [] }, 'value'],
    ['with too large a choice', { field, operator: 'in', value: Array(1_001).fill(1) }, 'value'],
    ['with null in a choice', { field, operator: 'in', value: ['a', null] }, 'value[1]'],
    ['with an empty part', { field, operator: 'contains', value: '' }, 'value'],
    ['with a part that is no text', { field, operator: 'contains', value: 1 }, 'value'],
    ['with a number as text', { field, operator: 'greater_than', value: '1' }, 'value'],
    ['with a moment that is none', { field, operator: 'before', value: '2026-02-30' }, 'value'],
    ['with a day that has a time', { field, operator: 'on', value: '2026-03-01T00:00:00Z' }, 'value'],
    ['with no days', { field, operator: 'within_last_days', value: 0 }, 'value'],
    ['with half a day', { field, operator: 'within_last_days', value: 0.5 }, 'value'],
    ['with too many days', { field, operator: 'within_next_days', value: 36_501 }, 'value'],
    ['of no tags', { field: 'tags', operator: 'has_any', value: [] }, 'value'],
    ['of tags of which one is empty', { field: 'tags', operator: 'has_any', value: ['a', ''] }, 'value'],
    ['of an empty tag', { field: 'tags', operator: 'has_any', value: [''] }, 'value'],
    ['of a tag that is no text', { field: 'tags', operator: 'contains', value: 1 }, 'value'],
    ['of 101 tags', { field: 'tags', operator: 'has_any', value: Array(101).fill('a') }, 'value'],
    ['of an event that is none', { event: 'Order Placed' }, 'event'],
    ['of an event with something else', { event: 'paid', field: 'email' }, 'field'],
    ['of an event done minus one times', { event: 'paid', at_least: -1 }, 'at_least'],
    ['of an event done once and a half', { event: 'paid', at_least: 1.5 }, 'at_least'],
    ['of an event done too often', { event: 'paid', at_most: 1_000_001 }, 'at_most'],
    ['of bounds the wrong way round', { event: 'paid', at_least: 3, at_most: 2 }, 'at_most'],
    ['of never, at most', { event: 'paid', operator: 'has_not_done', at_most: 2 }, 'at_most'],
    ['of never, less than once', { event: 'paid', operator: 'has_not_done', at_least: 0 }, 'at_least'],
    ['of an event within no days', { event: 'paid', within_days: 0 }, 'within_days'],
    ['of an event whose where is no list', { event: 'paid', where: {} }, 'where'],
    ['of an event with 21 in where', { event: 'paid', where: Array(21).fill(null) }, 'where'],
    ['of an attribute that is no object', { event: 'paid', where: [1] }, 'where[0]'],
    ['of an attribute without a field', { event: 'paid', where: [{ operator: 'exists' }] }, 'where[0].field'],
    [
      'of an attribute without a name',
      { event: 'paid', where: [{ field: '', operator: 'exists' }] },
      'where[0].field',
    ],
    [
      'of an attribute without its value',
      { event: 'paid', where: [{ field: 'a', operator: 'equals' }] },
      'where[0].value',
    ],
    ['of a segment that is no id', { segment_id: 'pro' }, 'segment_id'],
    ['of a segment with something else', { segment_id: ID, value: 1 }, 'value'],
    ['of a group with something else', { match: 'all', conditions: [], field: 'email' }, 'field'],
    ['of a group without conditions', { match: 'all' }, 'conditions'],
    ['of a group without match', { conditions: [] }, 'match'],
    ['within a group', { match: 'all', conditions: [{ segment_id: 'pro' }] }, 'conditions[0].segment_id'],
  ])('%s', (_, condition, place) => expect(refused(condition)).toEqual(['invalid_field', place]));

  test.each([
    ['of a field', { field: 'email', operator: 'like', value: 'x' }, 'operator'],
    ['of a field without any', { field: 'email', value: 'x' }, 'operator'],
    ['of a name that every object has', { field: 'email', operator: 'toString', value: 'x' }, 'operator'],
    ['of tags', { field: 'tags', operator: 'starts_with', value: 'x' }, 'operator'],
    ['of tags, as a list', { field: 'tags', operator: ['in'], value: 'x' }, 'operator'],
    ['of tags, that every object has', { field: 'tags', operator: 'toString', value: 'x' }, 'operator'],
    ['of an event', { event: 'paid', operator: 'did' }, 'operator'],
    [
      'of an attribute',
      { event: 'paid', where: [{ field: 'a', operator: 'like', value: 'x' }] },
      'where[0].operator',
    ],
    ['of a segment', { segment_id: ID, operator: 'equals' }, 'operator'],
  ])('for its operator %s', (_, condition, place) =>
    expect(refused(condition)).toEqual(['invalid_filter_operator', place]),
  );
});

test.each([
  ['like', 'like'],
  [undefined, null],
])('the error names the rejected operator %j', (operator, reported) => {
  const input = { match: 'all', conditions: [{ field: 'email', ...(operator ? { operator } : {}) }] };
  expect(() => readFilter(input)).toThrow(
    expect.objectContaining({ fields: expect.objectContaining({ operator: reported }) }),
  );
});

test('null is no value', () =>
  expect(read({ field: 'email', operator: 'exists', value: null })).toEqual(
    read({ field: 'email', operator: 'exists' }),
  ));

test.each([
  ['match', { match: 'some', conditions: [] }],
  ['match', { conditions: [] }],
  ['conditions', { match: 'all' }],
  ['conditions', { match: 'all', conditions: {} }],
])('a filter without the right %s is refused', (field, input) =>
  expect(refusal(input)).toEqual(['invalid_field', field]),
);

describe('the bounds', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { field: 'email', operator: 'exists' } : { match: 'all', conditions: [nested(depth - 1)] };
  const filled = (count: number, condition: object): object => ({
    match: 'all',
    conditions: Array(count).fill(condition),
  });
  const exists = { field: 'email', operator: 'exists' };
  const withTags = (count: number): object =>
    filled(1, { field: 'tags', operator: 'has_any', value: Array(count).fill('a') });
  const where = (count: number): object =>
    filled(1, { event: 'paid', where: Array(count).fill({ field: 'a', operator: 'exists' }) });
  const atLeast = (times: number): object => filled(1, { event: 'paid', at_least: times });
  const within = (days: number): object =>
    filled(1, { field: 'created_at', operator: 'within_last_days', value: days });
  const path = (names: number): object =>
    filled(1, { field: `properties.${Array(names).fill('a').join('.')}`, operator: 'exists' });
  const texts = (count: number): object => ({
    match: 'all',
    conditions: [
      { field: 'email', operator: 'in', value: Array(1_000).fill('x'.repeat(99)) },
      ...Array(count).fill({ field: 'email', operator: 'equals', value: 'x'.repeat(250) }),
    ],
  });
  test.each([
    ['five groups deep', nested(5), nested(6)],
    ['100 conditions', filled(100, exists), filled(101, exists)],
    ['100 tags', withTags(100), withTags(101)],
    ['20 attributes', where(20), where(21)],
    ['a million times', atLeast(1_000_000), atLeast(1_000_001)],
    ['one day', within(1), within(0)],
    ['36,500 days', within(36_500), within(36_501)],
    ['ten names', path(10), path(11)],
    ['100,000 characters of several values', texts(4), texts(5)],
    ['20 events', filled(20, { event: 'paid' }), filled(21, { event: 'paid' })],
    [
      '50 parts of texts',
      filled(50, { field: 'email', operator: 'contains', value: 'x' }),
      filled(51, { field: 'email', operator: 'contains', value: 'x' }),
    ],
    [
      '50 parts of texts in the attributes of events',
      filled(5, { event: 'paid', where: Array(10).fill({ field: 'a', operator: 'ends_with', value: 'x' }) }),
      filled(6, { event: 'paid', where: Array(9).fill({ field: 'a', operator: 'ends_with', value: 'x' }) }),
    ],
    [
      '100,000 characters',
      filled(1, { field: 'email', operator: 'in', value: Array(1_000).fill('x'.repeat(100)) }),
      filled(2, { field: 'email', operator: 'in', value: Array(1_000).fill('x'.repeat(51)) }),
    ],
  ])('%s, and no more', (_, most, tooMany) => {
    expect(refusal(most)).toEqual(['accepted']);
    expect(refusal(tooMany)[0]).toBe('invalid_field');
  });
});
