import fc from 'fast-check';
import { sumByKey } from './sum-by-key.js';

interface Item {
  readonly name: string;
  readonly number: number;
  readonly count: number;
}

const KEYS = [({ name }: Item) => name, ({ number }: Item) => number];
const add = ({ name, number, count }: Item, more: Item): Item => ({
  name,
  number,
  count: count + more.count,
});

const item = fc.record({
  name: fc.constantFrom('a', 'b', 'ab', '1', ''),
  number: fc.integer({ min: -2, max: 12 }),
  count: fc.integer({ min: -5, max: 5 }),
});

test('each key has one item, the sum of its own, in the order of the keys, whatever the order in which they come', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), (items) => {
      const sums = sumByKey(items, KEYS, add);
      expect(sumByKey([...items].reverse(), KEYS, add)).toEqual(sums);
      for (const { name, number, count } of sums) {
        const own = items.filter((one) => one.name === name && one.number === number);
        expect(own).not.toEqual([]);
        expect(count).toBe(own.reduce((sum, one) => sum + one.count, 0));
      }
      expect(new Set(items.map((one) => JSON.stringify([one.name, one.number]))).size).toBe(sums.length);
      const inOrder = [...sums].sort((a, b) =>
        a.name === b.name ? a.number - b.number : a.name < b.name ? -1 : 1,
      );
      expect(sums).toEqual(inOrder);
    }),
  );
});

test('items that are summed up stay as they are', () => {
  const items = [{ name: 'a', number: 1, count: 2 }] as const;
  expect(sumByKey([...items, ...items], KEYS, add)).toEqual([{ name: 'a', number: 1, count: 4 }]);
  expect(items[0].count).toBe(2);
});
