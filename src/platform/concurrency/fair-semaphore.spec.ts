import type { Permit } from './fair-queue.js';
import { FairSemaphore, isPermit, type SemaphoreLimits } from './fair-semaphore.js';

test('limits permits in total and per owner, and releases each once', () => {
  const semaphore = new FairSemaphore({ maxPermits: 3, maxPerOwner: 2 });
  const first = semaphore.tryAcquire('a');
  expect(first).toBeDefined();
  expect(semaphore.tryAcquire('a')).toBeDefined();
  expect(semaphore.tryAcquire('a')).toBeUndefined();
  expect(semaphore.tryAcquire('b')).toBeDefined();
  expect(semaphore.tryAcquire('b')).toBeUndefined();
  expect([semaphore.running, semaphore.heldBy('a'), semaphore.heldBy('c')]).toEqual([3, 2, 0]);
  first?.release();
  first?.release();
  expect(semaphore.tryAcquire('b')).toBeDefined();
  expect(semaphore.tryAcquire('c')).toBeUndefined();
});

describe('a single permit', () => {
  const LONG = 60_000;
  const single = (limits: Partial<SemaphoreLimits> = {}): FairSemaphore =>
    new FairSemaphore({
      ...{ maxPermits: 1, maxPerOwner: 1, maxWaiting: 1, maxWaitingPerOwner: 1 },
      ...{ maxWaitingBytes: 100, maxWaitingBytesPerOwner: 100, maxWaitMs: LONG },
      ...limits,
    });

  async function permitOf(semaphore: FairSemaphore): Promise<Permit> {
    const permit = await semaphore.acquire('a');
    if (!isPermit(permit)) throw new Error(permit);
    return permit;
  }

  test('is granted immediately if it is free', async () => {
    const semaphore = single({ maxWaitMs: 0 });
    const request = semaphore.acquire('a');
    expect([semaphore.running, semaphore.waiting]).toEqual([1, 0]);
    expect(isPermit(await request)).toBe(true);
  });

  test('is granted to the next caller when it is released', async () => {
    const semaphore = single();
    const first = await permitOf(semaphore);
    const second = semaphore.acquire('b');
    expect([semaphore.running, semaphore.waiting]).toEqual([1, 1]);
    first.release();
    expect(isPermit(await second)).toBe(true);
    expect([semaphore.running, semaphore.waiting]).toEqual([1, 0]);
  });

  test.each([
    ['bytes of all', {}, 101],
    ['bytes of the owner', { maxWaitingBytes: Infinity }, 101],
    ['callers', { maxWaiting: 0 }, 0],
    ['callers of the owner', { maxWaitingPerOwner: 0 }, 0],
  ])('is refused if too much waits: %s', async (_, limits, bytes) => {
    const semaphore = single(limits);
    await permitOf(semaphore);
    expect(await semaphore.acquire('b', { bytes })).toBe('full');
  });

  test('is refused after the timeout, and then nothing remains queued', async () => {
    const semaphore = single({ maxWaitMs: 1 });
    const first = await permitOf(semaphore);
    expect(await semaphore.acquire('b')).toBe('late');
    expect(semaphore.waiting).toBe(0);
    first.release();
    expect(semaphore.running).toBe(0);
  });

  test('is refused to a caller whose signal aborts, and then nothing remains queued', async () => {
    const semaphore = single();
    const first = await permitOf(semaphore);
    const caller = new AbortController();
    const { signal } = caller;
    const waiting = semaphore.acquire('b', { signal });
    expect(semaphore.waiting).toBe(1);
    caller.abort();
    expect(await waiting).toBe('aborted');
    expect(semaphore.waiting).toBe(0);
    first.release();
    expect(semaphore.running).toBe(0);
    expect(await semaphore.acquire('b', { signal })).toBe('aborted');
    expect(semaphore.tryAcquire('c')).toBeDefined();
  });
});

describe('waiting', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const bounds: SemaphoreLimits = {
    ...{ maxPermits: 3, maxPerOwner: 2, maxWaitingPerOwner: 2, maxWaitMs: 1_000 },
    order: 'fewest_running',
  };

  /** Callers that record their names and permits when these are granted. */
  function callers(semaphore: FairSemaphore, names: readonly string[]) {
    const begun: string[] = [];
    const permits: Permit[] = [];
    for (const name of names)
      void semaphore.acquire(name.charAt(0)).then((permit) => {
        begun.push(name);
        if (isPermit(permit)) permits.push(permit);
      });
    return { begun, permits };
  }

  test('the owner that holds the fewest permits goes first, then the first to arrive', async () => {
    const { begun, permits } = callers(new FairSemaphore(bounds), ['a1', 'a2', 'b1', 'a3', 'a4', 'c1', 'b2']);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    permits[0]?.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun.slice(3)).toEqual(['c1']);
    permits[1]?.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun.slice(4)).toEqual(['a3']);
  });

  test('owners take turns: one that just had a permit goes behind those that have waited', async () => {
    const semaphore = new FairSemaphore({ ...bounds, maxPermits: 2, maxPerOwner: 1, maxWaitingPerOwner: 5 });
    const { begun, permits } = callers(semaphore, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'c1', 'd1', 'c2']);
    await jest.advanceTimersByTimeAsync(0);
    for (let turn = 0; turn < 7; turn++) {
      permits.shift()?.release();
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'c2', 'a3', 'b3']);
  });

  test('callers of one owner each are served in order of arrival', async () => {
    const semaphore = new FairSemaphore({ maxPermits: 2, maxPerOwner: 1, maxWaitingPerOwner: 1 });
    const { begun, permits } = callers(semaphore, ['a1', 'b1', 'c1', 'd1', 'a2']);
    await jest.advanceTimersByTimeAsync(0);
    permits[1]?.release();
    void semaphore.acquire('b').then(() => begun.push('b2'));
    await jest.advanceTimersByTimeAsync(0);
    for (let turn = 2; turn < 5; turn++) {
      permits[turn === 3 ? 0 : turn]?.release();
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2']);
  });

  test('no caller waits longer than the limit, nor behind too many of the same owner', async () => {
    const semaphore = new FairSemaphore(bounds);
    semaphore.tryAcquire('a');
    semaphore.tryAcquire('a');
    const results: unknown[] = [];
    for (const number of [1, 2, 3])
      void semaphore.acquire('a').then((outcome) => results.push([number, outcome]));
    await jest.advanceTimersByTimeAsync(999);
    expect(results).toEqual([[3, 'full']]);
    await jest.advanceTimersByTimeAsync(1);
    expect(results.slice(1)).toEqual([
      [1, 'late'],
      [2, 'late'],
    ]);
  });

  test('without a timeout, callers wait as long as it takes', async () => {
    const { maxWaitMs: _, ...untimed } = bounds;
    const semaphore = new FairSemaphore({ ...untimed, maxPermits: 1 });
    const { begun, permits } = callers(semaphore, ['a1', 'b1']);
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(begun).toEqual(['a1']);
    permits[0]?.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'b1']);
  });
});
