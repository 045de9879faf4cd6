import fc from 'fast-check';
import { countUpTo } from './sorted.js';

test('counts what stands at a place or before it, repeated places among them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9, max: 9 })),
      fc.integer({ min: -10, max: 10 }),
      (list, place) => {
        const sorted = [...list].sort((a, b) => a - b);
        expect(countUpTo(sorted, place, (each) => each)).toBe(list.filter((each) => each <= place).length);
      },
    ),
  );
});
