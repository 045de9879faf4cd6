import { once } from 'node:events';
import { PassThrough, pipeline } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StallCut } from './stall-cut.js';

const MINUTE = 60_000;
/** More than a stream keeps by itself. */
const CHUNK = Buffer.alloc(100_000, 'x');

let source: PassThrough;
let cut: StallCut;
let end: Promise<string>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  source = new PassThrough({ highWaterMark: 1 });
  cut = new StallCut({ patience: MINUTE, silence: 20 * MINUTE });
  end = new Promise((resolve) => {
    pipeline(source, cut, (error) => resolve(error?.message ?? 'whole'));
  });
});
afterEach(() => {
  jest.useRealTimers();
});

test('what is taken within the time flows on, however slow', async () => {
  const sizes: number[] = [];
  for (let i = 0; i < 5; i++) {
    source.write(CHUNK);
    await once(cut, 'readable');
    jest.advanceTimersByTime(MINUTE - 1);
    sizes.push((cut.read() as Buffer).length);
    await turn();
  }
  source.end();
  cut.resume();
  expect([sizes, await end]).toEqual([Array(5).fill(CHUNK.length), 'whole']);
});

test('a reader that takes nothing for the time ends it, and the source with it', async () => {
  source.write(CHUNK);
  await once(cut, 'readable');
  cut.on('error', () => undefined);
  jest.advanceTimersByTime(MINUTE - 1);
  expect(cut.destroyed).toBe(false);
  jest.advanceTimersByTime(1);
  expect([cut.destroyed, await end, source.destroyed]).toEqual([
    true,
    'The reader took nothing for 60000 ms.',
    true,
  ]);
});

test('a source that gives nothing is waited for, so long and no longer', async () => {
  cut.on('error', () => undefined);
  cut.resume();
  source.write(CHUNK);
  await turn();
  await turn();
  jest.advanceTimersByTime(20 * MINUTE - 1);
  source.write(CHUNK);
  await turn();
  await turn();
  jest.advanceTimersByTime(20 * MINUTE - 1);
  expect(cut.destroyed).toBe(false);
  jest.advanceTimersByTime(1);
  expect([await end, source.destroyed]).toEqual(['There was nothing to read for 1200000 ms.', true]);
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
