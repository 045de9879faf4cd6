import { parseJson } from '../../../kernel/json-text.js';
import { flawOf, isStorableJson, type JsonObject } from '../../../kernel/json.js';
import { markedStorablePart, flawIn, storablePart } from './storable-part.js';

const object = (json: string): JsonObject => parseJson(json) as JsonObject;

test.each([
  ['{"a":1,"n":1e999,"m":-1e999}', { a: 1 }],
  ['{"a":{"b":[1,1e999,{"c":1e999,"d":2}]}}', { a: { b: [1, { d: 2 }] } }],
  ['{"a":1,"__proto__":{"b":2}}', { a: 1 }],
  [
    '{"a":{"constructor":{"prototype":{}},"b":2},"constructor":"Bricks Ltd"}',
    { a: { b: 2 }, constructor: 'Bricks Ltd' },
  ],
  ['{"a":"x\\u0000","b":"\\ud800","c":["\\u0000","d"],"\\u0000":1,"e":"é"}', { c: ['d'], e: 'é' }],
  ['{"a":null,"b":false,"c":"","d":[],"e":{}}', { a: null, b: false, c: '', d: [], e: {} }],
])('the sound part of %s', (json, part) => {
  expect(storablePart(object(json))).toEqual(part);
});

test('what is nested without end is cut, and numbers keep their digits', () => {
  const deep = object(`{"a":"b","c":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
  const part = storablePart(deep);
  expect(flawOf(part)).toBeUndefined();
  expect(part['a']).toBe('b');
  expect(isStorableJson(JSON.stringify(part))).toBe(true);
  const exact = object('{"a":12345678901234567890}');
  expect(storablePart(exact)).toEqual(exact);
});

test('a part tells that it is none', () => {
  const part = markedStorablePart(object('{"a":1,"n":1e999}'), 'holds something');
  expect(flawIn(part)).toBe('holds something');
  expect(Object.entries(part)).toEqual([['a', 1]]);
  for (const whole of [{ a: 1 }, null, 'a', [part]]) expect(flawIn(whole)).toBeUndefined();
});
