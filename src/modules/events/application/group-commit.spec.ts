import { GroupCommit } from './group-commit.js';

const OPTIONS = { lingerMs: 1, maxBatchSize: 3, maxInFlight: 1 };

test('what comes together is stored together, in bounded batches, and everybody hears of their own', async () => {
  const batches: number[][] = [];
  const group = new GroupCommit<number, number>((items) => {
    batches.push([...items]);
    return Promise.resolve(items.map((item) => item * 10));
  }, OPTIONS);
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => group.add(item)))).toEqual([10, 20, 30, 40, 50]);
  expect(batches.flat()).toEqual([1, 2, 3, 4, 5]);
  expect(batches.every(({ length }) => length <= 3)).toBe(true);
  expect(group.isIdle).toBe(true);
});

test('while a batch is being stored the next one fills', async () => {
  const sizes: number[] = [];
  let release: () => void = () => undefined;
  const group = new GroupCommit<number, number>(async (items) => {
    sizes.push(items.length);
    if (sizes.length === 1) await new Promise<void>((resolve) => (release = resolve));
    return [...items];
  }, OPTIONS);
  const first = [1, 2, 3].map((item) => group.add(item));
  const second = [4, 5].map((item) => group.add(item));
  expect(sizes).toEqual([3]);
  release();
  expect(await Promise.all([...first, ...second])).toEqual([1, 2, 3, 4, 5]);
  expect(sizes).toEqual([3, 2]);
});

test('an item that cannot be stored does not cost the others', async () => {
  const group = new GroupCommit<number, number>((items) => {
    if (items.includes(2)) return Promise.reject(Object.assign(new Error('bad value'), { code: '22P02' }));
    return Promise.resolve([...items]);
  }, OPTIONS);
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a failure of the database is everybody’s, and is not tried again', async () => {
  let tries = 0;
  const group = new GroupCommit<number, number>(() => {
    tries++;
    return Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }));
  }, OPTIONS);
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(tries).toBe(1);
});
