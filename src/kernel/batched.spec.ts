import { batched } from './batched.js';

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
