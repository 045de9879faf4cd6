import { NO_TIME_LIMITS, SimulationTimeSlicer, SimulationScheduler } from './simulation-scheduler.js';

/** Work that reports when it was done. */
function* pieces(count: number, done: number[]): Generator<void> {
  for (let piece = 1; piece <= count; piece++) {
    done.push(piece);
    yield;
  }
}

test('work that has its time is done to its end', async () => {
  const done: number[] = [];
  const slicer = new SimulationTimeSlicer(performance.now(), NO_TIME_LIMITS, () => true);
  expect([await slicer.runSlices(pieces(3, done)), done]).toEqual([true, [1, 2, 3]]);
});

test.each([
  [
    'its time is over, the time that it waited among it',
    { maxMs: 1_000, maxMsWhileAwaited: 1_000 },
    1_001,
    false,
  ],
  ['others wait', { maxMs: 60_000, maxMsWhileAwaited: 0 }, 0, true],
])('work ends behind a piece when %s', async (_, time, waited, isAwaited) => {
  const done: number[] = [];
  const slicer = new SimulationTimeSlicer(performance.now() - waited, time, () => isAwaited);
  expect([await slicer.runSlices(pieces(3, done)), done]).toEqual([false, [1]]);
});

test('one that runs hears of others that wait, and they have their turn when it ends', async () => {
  const scheduler = new SimulationScheduler();
  const order: string[] = [];
  const time = { maxMs: 60_000, maxMsWhileAwaited: 0 };
  const never = new Promise<void>(() => undefined);
  void scheduler.run('b', NO_TIME_LIMITS, () => never);
  const first = scheduler.run('a', time, async (slicer) => {
    // No other simulation waits yet.
    expect(slicer.isOver).toBe(false);
    const others = scheduler.run('c', NO_TIME_LIMITS, async () => void order.push('c'));
    await Promise.resolve();
    expect(slicer.isOver).toBe(true);
    order.push('a');
    return { others };
  });
  await (
    await first
  ).others;
  expect(order).toEqual(['a', 'c']);
});
