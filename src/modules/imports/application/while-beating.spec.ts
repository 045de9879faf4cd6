/** Work that is waited for with a periodic check: every way in which it can end, and that it always ends. */
import { GivenUp, whileBeating } from './while-beating.js';

const never = new Promise<never>(() => undefined);

test('work that ends is given, with no look where it ends at once', async () => {
  let beats = 0;
  const beat = () => Promise.resolve(void beats++);
  expect(await whileBeating(Promise.resolve(7), { each: 60_000, most: 1 }, beat)).toBe(7);
  expect(beats).toBe(0);
});

test('work that has no end is given up after so many looks', async () => {
  let beats = 0;
  const beat = () => Promise.resolve(void beats++);
  await expect(whileBeating(never, { each: 1, most: 3 }, beat)).rejects.toBeInstanceOf(GivenUp);
  expect(beats).toBe(3);
});

test('what a look throws ends the wait, and so does what the work throws', async () => {
  const lost = new Error('It is not mine any more.');
  await expect(whileBeating(never, { each: 1, most: 3 }, () => Promise.reject(lost))).rejects.toBe(lost);
  const failed = new Error('It failed.');
  await expect(
    whileBeating(Promise.reject(failed), { each: 1, most: 3 }, () => Promise.resolve()),
  ).rejects.toBe(failed);
});
