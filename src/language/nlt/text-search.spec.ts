import fc from 'fast-check';
import { includes, offsetsOf } from './text-search.js';

/** Few letters, so that texts have repetitions. */
const text = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { maxLength }).map((letters) => letters.join(''));

test('finds what the engine finds, in the same order', () => {
  const search = fc.oneof(
    text(40).filter((letters) => letters !== ''),
    fc.tuple(text(3), fc.integer({ min: 10, max: 30 })).map(([piece, count]) => `b${piece.repeat(count)}`),
  );
  fc.assert(
    fc.property(search, fc.array(text(60), { maxLength: 6 }), (sought, pieces) => {
      const whole = pieces.join(sought);
      const parts = whole.split(sought);
      let end = 0;
      const expected = parts.slice(0, -1).map((part) => {
        const offset = end + part.length;
        end = offset + sought.length;
        return offset;
      });
      expect([...offsetsOf(whole, sought)]).toEqual(expected);
      expect(includes(whole, sought)).toBe(whole.includes(sought));
    }),
  );
});

test.each([
  ['', 'a', false],
  ['', '', true],
  ['a', '', true],
  ['a'.repeat(40), 'a'.repeat(41), false],
  ['a'.repeat(40), 'a'.repeat(40), true],
  [`${'a'.repeat(40)}b`, `${'a'.repeat(20)}b`, true],
])('%j has %j in it: %j', (whole, sought, expected) => {
  expect(includes(whole, sought)).toBe(expected);
});
