import { SteadyHeap } from './steady-heap.js';

test('the heap is kept for as long as anybody works on a stream, also where that fails', async () => {
  const told: number[] = [];
  const heap = new SteadyHeap((percent) => told.push(percent));
  let end = (): void => undefined;
  const long = heap.while(() => new Promise<void>((resolve) => (end = resolve)));
  expect(told).toEqual([50]);
  expect(await heap.while(() => Promise.resolve('done'))).toBe('done');
  await expect(heap.while(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(told).toEqual([50]);
  end();
  await long;
  expect(told).toEqual([50, 0]);
  await heap.while(() => Promise.resolve());
  expect(told).toEqual([50, 0, 50, 0]);
});
