import fc from 'fast-check';
import { utf8 } from './utf8.js';

function whole(text: string): Buffer {
  const work = utf8(text);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

test('whatever the text, and wherever its pieces end, its bytes are those of Buffer.from', () => {
  const unit = fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00');
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 7 }), (units) => {
      const text = units.join('').repeat(60_000);
      expect(whole(text).equals(Buffer.from(text))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('a half that is left alone at the end of a piece does not tear the character behind it', () => {
  const text = `${'a'.repeat(131_071)}\ud83d😀`;
  expect(whole(text).equals(Buffer.from(text))).toBe(true);
});

test('a large text is encoded in pieces', () => {
  const steps = [...utf8('€'.repeat(1_000_000))];
  expect(steps.length).toBeGreaterThanOrEqual(7);
  expect([...utf8('€'.repeat(1_000))]).toEqual([]);
});
