import { HeapLimiter } from './heap-limiter.js';

test('the heap is kept for as long as anybody works on a stream, also where that fails', async () => {
  const reported: number[] = [];
  const heap = new HeapLimiter((percent) => reported.push(percent));
  let end = (): void => undefined;
  const long = heap.run(() => new Promise<void>((resolve) => (end = resolve)));
  expect(reported).toEqual([50]);
  expect(await heap.run(() => Promise.resolve('done'))).toBe('done');
  await expect(heap.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(reported).toEqual([50]);
  end();
  await long;
  expect(reported).toEqual([50, 0]);
  await heap.run(() => Promise.resolve());
  expect(reported).toEqual([50, 0, 50, 0]);
});
