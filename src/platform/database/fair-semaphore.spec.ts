import { FairSemaphore } from './fair-semaphore.js';

test('so many run of each owner and in all, and a share is given back once', () => {
  const shares = new FairSemaphore({ maxPermits: 3, maxPerOwner: 2 });
  const first = shares.tryAcquire('a');
  expect(first).toBeDefined();
  expect(shares.tryAcquire('a')).toBeDefined();
  expect(shares.tryAcquire('a')).toBeUndefined();
  expect(shares.tryAcquire('b')).toBeDefined();
  expect(shares.tryAcquire('b')).toBeUndefined();
  first?.();
  first?.();
  expect(shares.tryAcquire('b')).toBeDefined();
  expect(shares.tryAcquire('c')).toBeUndefined();
});

describe('waiting', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const bounds = { maxPermits: 3, maxPerOwner: 2, maxWaitingPerOwner: 2, maxWaitMs: 1_000 };

  test('whoever has the least running goes first, then who came first', async () => {
    const shares = new FairSemaphore(bounds);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (name: string): void =>
      void shares.acquire(name.charAt(0)).then((end) => {
        begun.push(name);
        if (end) ends.set(name, end);
      });
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'c1', 'b2']) ask(name);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    ends.get('a1')?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun.slice(3)).toEqual(['c1']);
    ends.get('a2')?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun.slice(4)).toEqual(['a3']);
  });

  test('owners take turns: who has just had a share goes behind those who have waited', async () => {
    const shares = new FairSemaphore({
      maxPermits: 2,
      maxPerOwner: 1,
      maxWaitingPerOwner: 5,
      maxWaitMs: 1_000,
    });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (name: string): void =>
      void shares.acquire(name.charAt(0)).then((end) => {
        begun.push(name);
        if (end) ends.push(end);
      });
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'c1', 'd1', 'c2']) ask(name);
    await jest.advanceTimersByTimeAsync(0);
    for (let turn = 0; turn < 7; turn++) {
      ends.shift()?.();
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'c2', 'a3', 'b3']);
  });

  test('nobody waits longer than that, nor behind too many of the same owner', async () => {
    const shares = new FairSemaphore(bounds);
    shares.tryAcquire('a');
    shares.tryAcquire('a');
    const resolved: unknown[] = [];
    for (const number of [1, 2, 3]) void shares.acquire('a').then((end) => resolved.push([number, end]));
    await jest.advanceTimersByTimeAsync(999);
    expect(resolved).toEqual([[3, undefined]]);
    await jest.advanceTimersByTimeAsync(1);
    expect(resolved.slice(1)).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
  });

  test('who has gone away waits no longer, and takes nothing', async () => {
    const shares = new FairSemaphore({ ...bounds, maxPermits: 1 });
    const end = shares.tryAcquire('a');
    const caller = new AbortController();
    const waiting = shares.acquire('b', caller.signal);
    caller.abort();
    expect(await waiting).toBeUndefined();
    end?.();
    expect(shares.tryAcquire('c')).toBeDefined();
    expect(await shares.acquire('d', caller.signal)).toBeUndefined();
  });
});
