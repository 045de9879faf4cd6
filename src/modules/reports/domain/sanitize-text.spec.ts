import fc from 'fast-check';
import { HOSTILE } from '../../../../test/support/report-samples.js';
import { sanitizeText } from './sanitize-text.js';

test.each([
  ['Onboarding', 40, 'Onboarding'],
  ['  two\r\nlines\t', 40, 'two lines'],
  ['nul\u0000 half\ud800 end\uffff', 40, 'nul half end'],
  ['\u202eturned\u202c', 40, 'turned'],
  ['a👍🏽b', 3, 'a👍…'],
  ['exactly', 7, 'exactly'],
  ['exactly!', 7, 'exactl…'],
  ['', 7, ''],
])('%j within %d is %j', (text, most, shown) => expect(sanitizeText(text, most)).toBe(shown));

test('whatever comes is one line of bounded length that XML can hold', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...HOSTILE)),
      fc.integer({ min: 2, max: 60 }),
      (text, most) => {
        const shown = sanitizeText(text, most);
        expect([...shown].length).toBeLessThanOrEqual(most);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u);
        expect(sanitizeText(shown, most)).toBe(shown);
      },
    ),
  );
});

test('a million characters cost no more than few', () => {
  expect(sanitizeText('\u0000'.repeat(1_000_000), 10)).toBe('…');
});
