import { once } from 'node:events';
import { PassThrough, pipeline } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StallGuard } from './stall-guard.js';

const SECOND = 1_000;
const MINUTE = 60_000;
/** More than a stream buffers. */
const CHUNK = Buffer.alloc(100_000, 'x');
/** Bytes per second: one chunk in ten seconds. */
const PACE = 10_000;

let source: PassThrough;
let cut: StallGuard;
let end: Promise<string>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  source = new PassThrough({ highWaterMark: 1 });
  cut = new StallGuard({ minBytesPerSecond: PACE, maxLagMs: MINUTE, maxSilenceMs: 20 * MINUTE });
  cut.on('error', () => undefined);
  end = new Promise((resolve) => {
    pipeline(source, cut, (error) => resolve(error?.message ?? 'whole'));
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const TOO_SLOW = 'service_unavailable: The client read fewer than 10000 bytes per second for too long.';

/** Reads a chunk after each interval, this number of times; returns the number of chunks received. */
async function take(times: number, after: number): Promise<number> {
  for (let taken = 0; taken < times; taken++) {
    source.write(CHUNK);
    await once(cut, 'readable');
    jest.advanceTimersByTime(after);
    if (cut.destroyed) return taken;
    expect((cut.read() as Buffer).length).toBe(CHUNK.length);
    await turn();
  }
  return times;
}

test('what is taken at the pace flows on, however long', async () => {
  expect(await take(50, 10 * SECOND)).toBe(50);
  expect(cut.lag).toBe(10 * SECOND);
  source.end();
  cut.resume();
  expect(await end).toBe('whole');
});

test('a reader that is slower may fall a minute behind, and is cut then', async () => {
  // Twenty seconds late with the first chunk, and ten more with each further one.
  expect(await take(50, 20 * SECOND)).toBe(4);
  expect([await end, source.destroyed]).toEqual([TOO_SLOW, true]);
});

test('a pause of almost a minute is made good by what is taken after it', async () => {
  expect(await take(1, MINUTE - 1)).toBe(1);
  expect(await take(6, 0)).toBe(6);
  expect(await take(1, MINUTE - 1)).toBe(1);
  expect(cut.destroyed).toBe(false);
});

test('what was taken fast before is no credit for a pause', async () => {
  await take(20, 0);
  expect(await take(1, MINUTE)).toBe(0);
  expect(await end).toBe(TOO_SLOW);
});

test('a reader that takes nothing for a minute ends it, and the source with it', async () => {
  source.write(CHUNK);
  await once(cut, 'readable');
  jest.advanceTimersByTime(MINUTE - 1);
  expect([cut.destroyed, cut.lag]).toEqual([false, MINUTE - 1]);
  jest.advanceTimersByTime(1);
  expect([cut.destroyed, await end, source.destroyed]).toEqual([true, TOO_SLOW, true]);
});

test('a source that gives nothing is waited for, so long and no longer, and is no fault of the reader', async () => {
  cut.resume();
  source.write(CHUNK);
  await turn();
  await turn();
  jest.advanceTimersByTime(20 * MINUTE - 1);
  source.write(CHUNK);
  await turn();
  await turn();
  jest.advanceTimersByTime(20 * MINUTE - 1);
  expect([cut.destroyed, cut.lag]).toEqual([false, 0]);
  jest.advanceTimersByTime(1);
  expect([await end, source.destroyed]).toEqual([expect.stringMatching(/^work_too_costly: /), true]);
});

test.each(['57014', '53400'])('a question that PostgreSQL gives up with %s costs too much', async (code) => {
  source.destroy(Object.assign(new Error('given up'), { code }));
  const failed = new Promise((resolve) => cut.once('error', resolve));
  expect(await failed).toMatchObject({ code: 'work_too_costly' });
});

test('a source that ends in silence has ended', async () => {
  cut.resume();
  source.write(CHUNK);
  await turn();
  await turn();
  jest.advanceTimersByTime(10 * MINUTE);
  source.end();
  expect(await end).toBe('whole');
});
