import fc from 'fast-check';
import { Heap } from './heap.js';

test('gives numbers in their order, whatever comes between', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 50 }))), (moves) => {
      const heap = new Heap<number>((one, other) => one < other);
      const kept: number[] = [];
      for (const move of moves) {
        if (move === null) {
          kept.sort((a, b) => a - b);
          expect(heap.peek()).toBe(kept[0]);
          expect(heap.pop()).toBe(kept.shift());
        } else {
          heap.push(move);
          kept.push(move);
        }
        expect(heap.size).toBe(kept.length);
      }
    }),
  );
});

test('an empty heap has no first', () => {
  const heap = new Heap<number>(() => false);
  expect([heap.peek(), heap.pop(), heap.size]).toEqual([undefined, undefined, 0]);
});
