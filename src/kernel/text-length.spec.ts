import fc from 'fast-check';
import { truncate, isLonger, lengthOf } from './text-length.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['😀', 1],
  ['a😀b😀', 4],
  ['\ud83d', 1],
  ['\ude00\ud83d', 2],
  ['\ud83d\ud83d\ude00', 2],
])('%j has %d characters', (text, length) => {
  expect(lengthOf(text)).toBe(length);
});

test('characters are those that an iteration gives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(lengthOf(text)).toBe([...text].length);
    }),
  );
});

test('a text is longer than its bound by characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, most) => {
      expect(isLonger(text, most)).toBe([...text].length > most);
    }),
  );
});

test.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['ab😀', 3, 'ab'],
  ['ab😀', 4, 'ab😀'],
  ['', 0, ''],
])('the beginning of %j, %d units, is %j', (text, most, beginning) => {
  expect(truncate(text, most)).toBe(beginning);
});
