/** The pool of worker threads: expensive tasks run outside the event loop, time out, and do not delay other tasks. */
import { makeLogger } from '../../src/platform/logging/logger.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import {
  MAX_INLINE_BYTES,
  THREAD_SETTINGS,
  Threads,
  type ThreadSettings,
} from '../../src/platform/threads/threads.js';
import { until } from '../support/until.js';
import { APART, ECHO, ENDLESS, GREEDY, SPIN, THROWING, TRIED } from '../support/thread-work.js';

const ENTRY = new URL('../support/thread-work.js', import.meta.url);
const BIG = MAX_INLINE_BYTES + 1;
/** Longer than any task of these tests takes, unless it is endless. */
const NEVER = 3_600_000;
const SETTINGS: ThreadSettings = {
  ...THREAD_SETTINGS,
  threads: 2,
  threadsPerOwner: 1,
  maxWaitMs: NEVER,
  maxRunMs: NEVER,
  maxHeapMb: 64,
};

interface Opened {
  readonly threads: Threads;
  readonly metrics: Metrics;
  /** Times out the running tasks. */
  readonly timeOut: () => void;
}

const opened: Threads[] = [];

function open(settings: Partial<ThreadSettings> = {}): Opened {
  const metrics = new Metrics();
  const limits: AbortController[] = [];
  const limit = (): AbortSignal => {
    const controller = new AbortController();
    limits.push(controller);
    return controller.signal;
  };
  const logger = makeLogger('test', 'silent');
  const threads = new Threads(ENTRY, metrics, logger, { ...SETTINGS, ...settings }, limit);
  opened.push(threads);
  return { threads, metrics, timeOut: () => limits.splice(0).forEach((controller) => controller.abort()) };
}

/** Starts an endless task; `end` resolves with the error that ends it. */
async function endless(threads: Threads, owner: string): Promise<{ readonly end: Promise<unknown> }> {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const end = threads.run(owner, ENDLESS, begun, BIG).catch((error: unknown) => error);
  await until('the endless task has begun', () => Atomics.load(begun, 0) === 1);
  return { end };
}

afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});

describe('threads', () => {
  it('leave the event loop turning while they work', async () => {
    const { threads } = open();
    let ticks = 0;
    let done = false;
    const turn = (): void => {
      ticks++;
      if (!done) setImmediate(turn);
    };
    const work = threads.run('a', SPIN, 500, BIG).finally(() => (done = true));
    setImmediate(turn);
    expect(await work).toBeGreaterThan(0);
    expect(ticks).toBeGreaterThan(100);
  });

  it('take no part in small work', async () => {
    const { threads, metrics } = open();
    expect(await threads.run('a', ECHO, 'x', MAX_INLINE_BYTES)).toBe('x');
    expect((await metrics.threadTasks.get()).values).toEqual([]);
  });

  it('take over what proves to be dear where it was asked for', async () => {
    const { threads, metrics } = open();
    expect(await threads.run('a', TRIED, { isCostly: false })).toBe('at once');
    expect((await metrics.threadTasks.get()).values).toEqual([]);
    expect(await threads.run('a', TRIED, { isCostly: true })).toBe('to its end');
  });

  it('do what is to be done apart, however small it is', async () => {
    const { threads } = open();
    expect(await threads.run('a', APART, '')).toBeGreaterThan(0);
  });

  it('weigh all that a task is given, in bytes', async () => {
    const { threads } = open();
    const text = 'é'.repeat(MAX_INLINE_BYTES / 2);
    expect(await threads.run('a', TRIED, { isCostly: false, text: text.slice(10) })).toBe('at once');
    expect(await threads.run('a', TRIED, { isCostly: false, text })).toBe('to its end');
  });

  it('end work without an end, replace its thread, and end no other work', async () => {
    const { threads, metrics, timeOut } = open();
    const { end } = await endless(threads, 'a');
    timeOut();
    const beside = threads.run('b', SPIN, 200, BIG);
    expect(await end).toMatchObject({ code: 'work_too_costly', status: 422 });
    expect(await beside).toBeGreaterThan(0);
    for (const owner of ['a', 'b', 'c']) expect(await threads.run(owner, ECHO, owner, BIG)).toBe(owner);
    const { values } = await metrics.threadTasks.get();
    expect(values).toContainEqual(
      expect.objectContaining({ labels: { task: 'endless', outcome: 'time' }, value: 1 }),
    );
  });

  it('end work that takes all memory, and this process goes on', async () => {
    const { threads } = open();
    await expect(threads.run('a', GREEDY, null, BIG)).rejects.toMatchObject({ code: 'work_too_costly' });
    expect(await threads.run('a', ECHO, 'x', BIG)).toBe('x');
  });

  it('hand on what a task throws', async () => {
    const { threads } = open();
    await expect(threads.run('a', THROWING, 'broken', BIG)).rejects.toThrow('broken');
    expect(await threads.run('a', ECHO, 'x', BIG)).toBe('x');
  });

  it("answer a tenant while another's dear work fills its part", async () => {
    const { threads, metrics } = open({ waitingPerOwner: 4 });
    await endless(threads, 'a');
    const waiting = Array.from({ length: 4 }, () => threads.run('a', ECHO, 'never', BIG));
    void Promise.allSettled(waiting);
    await expect(threads.run('a', ECHO, 'one too many', BIG)).rejects.toMatchObject({
      code: 'service_unavailable',
      fields: { retry_after: expect.any(Number) },
    });
    for (let turn = 0; turn < 3; turn++) expect(await threads.run('b', ECHO, 'b', BIG)).toBe('b');
    expect((await metrics.threadsWaiting.get()).values).toMatchObject([{ value: 4 }]);
  });

  it('let nobody wait without an end', async () => {
    const { threads, metrics } = open({ maxWaitMs: 100 });
    await endless(threads, 'a');
    await expect(threads.run('a', ECHO, 'x', BIG)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await metrics.threadsWaiting.get()).values).toMatchObject([{ value: 0 }]);
    expect((await metrics.threadRefusals.get()).values).toMatchObject([{ labels: { reason: 'waited' } }]);
  });

  it('refuse what they work on when the process ends', async () => {
    const { threads } = open();
    const { end } = await endless(threads, 'a');
    await threads.close();
    expect(await end).toMatchObject({ code: 'service_unavailable' });
  });
});
