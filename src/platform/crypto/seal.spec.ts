import fc from 'fast-check';
import { BrokenSeal, Seal } from './seal.js';

const [OLD, NEW] = ['1'.repeat(64), '2'.repeat(64)];
const seal = new Seal([NEW], 'tests');

test('whatever is sealed opens in its place, and shows nothing of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, place) => {
      const sealed = seal.seal(secret, place);
      expect(sealed).toMatch(/^[\w.-]+$/);
      expect(seal.open(sealed, place)).toBe(secret);
    }),
  );
  expect(seal.seal('secret', 'a')).not.toBe(seal.seal('secret', 'a'));
});

test('it opens nowhere else, and for no other purpose', () => {
  const sealed = seal.seal('secret', 'a');
  expect(() => seal.open(sealed, 'b')).toThrow(BrokenSeal);
  expect(() => new Seal([NEW], 'others').open(sealed, 'a')).toThrow(BrokenSeal);
  expect(() => new Seal([OLD], 'tests').open(sealed, 'a')).toThrow(BrokenSeal);
});

test('whatever character of it is changed, it does not open', () => {
  const sealed = seal.seal('secret', 'a');
  // The last character has only two or four significant bits.
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => seal.open(changed, 'a')).toThrow(BrokenSeal);
  }
  for (const text of ['', '.', '1', `${sealed.split('.').slice(0, 2).join('.')}.`, sealed.slice(0, -8)])
    expect(() => seal.open(text, 'a')).toThrow(BrokenSeal);
});

test('the first key seals, every one opens', () => {
  const before = new Seal([OLD], 'tests').seal('secret', 'a');
  const both = new Seal([NEW, OLD], 'tests');
  expect(both.open(before, 'a')).toBe('secret');
  expect(both.isCurrent(before)).toBe(false);
  const after = both.seal('secret', 'a');
  expect(both.isCurrent(after)).toBe(true);
  expect(seal.open(after, 'a')).toBe('secret');
});
