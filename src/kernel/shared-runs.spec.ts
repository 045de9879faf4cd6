import { SharedRuns } from './shared-runs.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work whose runs finish only when the test releases them. */
function heldWork() {
  const ends: (() => void)[] = [];
  let begun = 0;
  const work = () =>
    new Promise<number>((resolve) => {
      const number = ++begun;
      ends.push(() => resolve(number));
    });
  return { work, begun: () => begun, end: () => ends.shift()?.() };
}

test('of a key one run is under way, and those who ask meanwhile share the next', async () => {
  const runs = new SharedRuns<number>();
  const held = heldWork();
  const first = runs.do('a', held.work);
  const others = [runs.do('a', held.work), runs.do('a', held.work), runs.do('a', held.work)];
  expect(held.begun()).toBe(1);
  held.end();
  expect(await first).toBe(1);
  await settled();
  expect(held.begun()).toBe(2);
  const later = runs.do('a', held.work);
  held.end();
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  await settled();
  held.end();
  expect(await later).toBe(3);
});

test('keys do not wait for each other, and one that is done is begun anew', async () => {
  const runs = new SharedRuns<number>();
  const held = heldWork();
  const both = [runs.do('a', held.work), runs.do('b', held.work)];
  expect(held.begun()).toBe(2);
  held.end();
  held.end();
  expect(await Promise.all(both)).toEqual([1, 2]);
  const again = runs.do('a', held.work);
  held.end();
  expect(await again).toBe(3);
});

test('who waits for a run that fails gets one of its own', async () => {
  const runs = new SharedRuns<number>();
  const failing = runs.do('a', () => Promise.reject(new Error('away')));
  const next = runs.do('a', () => Promise.resolve(7));
  await expect(failing).rejects.toThrow('away');
  expect(await next).toBe(7);
});
