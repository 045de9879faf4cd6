/** Work that is waited for with a periodic check: every way in which it can end, and that it always ends. */
import { HeartbeatTimeoutError, withHeartbeat } from './with-heartbeat.js';

const never = new Promise<never>(() => undefined);

test('work that ends is given, with no look where it ends at once', async () => {
  let beats = 0;
  const beat = () => Promise.resolve(void beats++);
  expect(await withHeartbeat(Promise.resolve(7), { intervalMs: 60_000, maxBeats: 1 }, beat)).toBe(7);
  expect(beats).toBe(0);
});

test('work that has no end is given up after so many looks', async () => {
  let beats = 0;
  const beat = () => Promise.resolve(void beats++);
  await expect(withHeartbeat(never, { intervalMs: 1, maxBeats: 3 }, beat)).rejects.toBeInstanceOf(
    HeartbeatTimeoutError,
  );
  expect(beats).toBe(3);
});

test('what a look throws ends the wait, and so does what the work throws', async () => {
  const lost = new Error('It is not mine any more.');
  await expect(withHeartbeat(never, { intervalMs: 1, maxBeats: 3 }, () => Promise.reject(lost))).rejects.toBe(
    lost,
  );
  const failed = new Error('It failed.');
  await expect(
    withHeartbeat(Promise.reject(failed), { intervalMs: 1, maxBeats: 3 }, () => Promise.resolve()),
  ).rejects.toBe(failed);
});
