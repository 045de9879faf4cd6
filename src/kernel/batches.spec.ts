import fc from 'fast-check';
import { batchesOf, batched } from './batches.js';

const MB = 1024 * 1024;

test('few small records are one batch', () => {
  const records = ['a', 'b', 'c'].map((id) => ({ id, size: 1_000 }));
  expect(batchesOf(records)).toEqual([['a', 'b', 'c']]);
});

test('no records are no batch', () => {
  expect(batchesOf([])).toEqual([]);
});

test('a record beyond the size of a batch has one of its own', () => {
  const sizes = { a: 1, b: 20 * MB, c: 1, d: 5 * MB, e: 5 * MB };
  const records = Object.entries(sizes).map(([id, size]) => ({ id, size }));
  expect(batchesOf(records)).toEqual([['a'], ['b'], ['c', 'd'], ['e']]);
});

test('every record is in one batch, in order, and none is beyond the bounds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3 * MB), { maxLength: 2_000 }), (sizes) => {
      const records = sizes.map((size, index) => ({ id: String(index), size }));
      const batches = batchesOf(records);
      expect(batches.flat()).toEqual(records.map(({ id }) => id));
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(500);
        const total = batch.reduce((sum, id) => sum + (sizes[Number(id)] ?? 0), 0);
        expect(total).toBeLessThanOrEqual(8 * MB);
      }
    }),
    { numRuns: 50 },
  );
});

const LARGE = 6 * 1024 * 1024;

test('reads each piece when it is asked for, in the order of the plan, without what is gone', async () => {
  const plan = ['c', 'a', 'b', 'd'].map((id) => ({ id, size: id === 'b' ? LARGE : LARGE / 3 }));
  const loaded: string[] = [];
  const pieces = batched(plan, async (ids) => {
    loaded.push(ids.join(' '));
    return [...ids].sort().flatMap((id) => (id === 'a' ? [] : [{ id }]));
  });
  expect(loaded).toEqual([]);
  expect((await pieces.next()).value).toEqual([{ id: 'c' }]);
  expect(loaded).toEqual(['c a']);
  expect((await pieces.next()).value).toEqual([{ id: 'b' }, { id: 'd' }]);
  expect((await pieces.next()).done).toBe(true);
});
