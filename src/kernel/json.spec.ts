import fc from 'fast-check';
import { ExactNumber } from './exact-number.js';
import { matchesAttributes } from './event-attributes.js';
import { depthOf, flawOf, isFiniteJson, isStorableJson, isStorableText, sameJson } from './json.js';

test.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, undefined, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [{ a: [{ b: null }] }, { a: [{ b: null }] }, true],
])('sameJson(%j, %j) is %s', (left, right, same) => {
  expect(sameJson(left, right)).toBe(same);
  expect(sameJson(right, left)).toBe(same);
});

test('a JSON value is the same as its copy, and storable unless it holds NUL or half characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameJson(value, JSON.parse(JSON.stringify(value)))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(isStorableJson(JSON.stringify({ text }))).toBe(isStorableText(text));
    }),
  );
  for (const text of ['\0', 'a\ud800', '\udc00b']) {
    expect(isStorableText(text)).toBe(false);
    expect(isStorableJson(JSON.stringify([text]))).toBe(false);
  }
});

test('depthOf counts what stands inside each other, up to its limit', () => {
  expect(depthOf(7, 9)).toBe(0);
  expect(depthOf([], 9)).toBe(1);
  expect(depthOf({ a: [{}] }, 9)).toBe(3);
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(depthOf(deep, 5)).toBe(6);
});

test.each<[Record<string, unknown>, Record<string, unknown>, boolean]>([
  [{}, { plan: 'pro' }, true],
  [{ plan: 'pro' }, { plan: 'pro', more: 1 }, true],
  [{ plan: 'pro' }, { plan: 'free' }, false],
  [{ plan: null }, {}, false],
  [{ plan: null }, { plan: null }, true],
  [{ toString: 1 }, {}, false],
])('attributes %#', (conditions, attributes, matches) => {
  expect(matchesAttributes(conditions, attributes)).toBe(matches);
});

test.each<[string, boolean]>([
  ['{"a": [1, 2.5, null]}', true],
  ['{"a": "null"}', true],
  ['{"a": {"b": [1e400]}}', false],
  ['-1e400', false],
])('%s holds finite numbers only: %s', (text, holds) => {
  const value: unknown = JSON.parse(text);
  expect(isFiniteJson(value, JSON.stringify(value))).toBe(holds);
});

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test.each<[string, unknown]>([
  ['null', null],
  ['a text', '__proto__'],
  ['keys like any other', { constructor: 'Acme', prototype: { constructor: [] }, proto: ['__proto__'] }],
  ['64 levels', nested(64)],
])('%s is sound', (_, value) => expect(flawOf(value)).toBeUndefined());

test.each<[string, string, string]>([
  ['__proto__', '{"__proto__":{"a":1}}', 'key'],
  ['__proto__ that is null', '{"__proto__":null}', 'key'],
  ['__proto__, escaped', '{"\\u005f_proto__":1}', 'key'],
  ['__proto__ far inside', '{"a":[1,{"b":{"__proto__":1}}]}', 'key'],
  ['constructor.prototype', '[{"constructor":{"prototype":1}}]', 'key'],
  ['65 lists', '['.repeat(65) + ']'.repeat(65), 'deeper'],
  ['65 objects', '{"a":'.repeat(65) + '1' + '}'.repeat(65), 'deeper'],
  ['absurd nesting', '['.repeat(1_000_000) + ']'.repeat(1_000_000), 'deeper'],
])('%s is not sound', (_, text, why) => expect(flawOf(JSON.parse(text))).toContain(why));

test('an exact number is a value like other numbers, and no object', () => {
  const number = ExactNumber.from('12345678901234567890');
  const at = (levels: number, inner: unknown): unknown => {
    for (let level = 0; level < levels; level++) inner = [inner];
    return inner;
  };
  expect([flawOf(at(64, 1)), flawOf(at(64, number))]).toEqual([undefined, undefined]);
  expect([flawOf(at(65, 1)), flawOf(at(65, number))]).toEqual([flawOf(at(66, 1)), flawOf(at(66, 1))]);
  expect(depthOf(at(3, number), 9)).toBe(3);
  expect(sameJson(number, { text: '12345678901234567890' })).toBe(false);
  expect(sameJson({ text: '12345678901234567890' }, number)).toBe(false);
  expect(matchesAttributes({ id: number }, { id: ExactNumber.from('1234567890123456789e1') })).toBe(true);
});
