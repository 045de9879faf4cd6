import { StallGuard } from './stall-guard.js';
import { StreamSlots } from './stream-slots.js';

const SECOND = 1_000;
const BOUNDS = {
  maxPermits: 6,
  maxPerOwner: 2,
  maxWaitMs: 15 * SECOND,
  slowAfterMs: 10 * SECOND,
  protectedMs: 60 * SECOND,
};

/** More than a stream buffers. */
const CHUNK = Buffer.alloc(100_000, 'x');

let slots: StreamSlots;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  slots = new StreamSlots(BOUNDS);
});
afterEach(() => {
  jest.useRealTimers();
});

interface Export {
  readonly stream: StallGuard;
  /** Why it was aborted; undefined while it runs. */
  reason?: string;
}

/** Starts an export; undefined if it got no slot. */
async function start(owner: string): Promise<Export | undefined> {
  const slot = await slots.acquire(owner);
  if (!slot) return undefined;
  const stream = new StallGuard({
    minBytesPerSecond: CHUNK.length,
    maxLagMs: 3_600 * SECOND,
    maxSilenceMs: 3_600 * SECOND,
  });
  const started: Export = { stream };
  stream.on('error', (error) => (started.reason = error.message));
  stream.on('close', () => slot.release());
  slot.attach(stream);
  return started;
}

/** Makes data available that the reader of the export does not take. */
function stall(one: Export | undefined): void {
  one?.stream.write(CHUNK);
}

async function startAll(...owners: string[]): Promise<(Export | undefined)[]> {
  const held: (Export | undefined)[] = [];
  for (const owner of owners) held.push(await start(owner));
  return held;
}

const GIVES_WAY = /another workspace was waiting/i;

test('a workspace has two at a time, and is not kept waiting for a third', async () => {
  expect(await start('a')).toBeDefined();
  expect(await start('a')).toBeDefined();
  expect(await start('a')).toBeUndefined();
});

test('three workspaces that do not read keep nobody out', async () => {
  const held = await startAll('a', 'a', 'b', 'b', 'c', 'c');
  held.forEach(stall);
  const newcomers = ['d', 'e', 'f'].map((owner) => start(owner));
  await jest.advanceTimersByTimeAsync(9 * SECOND);
  expect(held.map((one) => one?.reason)).toEqual(Array(6).fill(undefined));
  await jest.advanceTimersByTimeAsync(2 * SECOND);
  for (const started of await Promise.all(newcomers)) expect(started).toBeDefined();
  expect(held.filter((one) => GIVES_WAY.test(one?.reason ?? ''))).toHaveLength(3);
});

test('three workspaces that read steadily give one of their two streams each, after a minute', async () => {
  const held = await startAll('a', 'a', 'b', 'b', 'c', 'c');
  const early = start('d');
  await jest.advanceTimersByTimeAsync(15 * SECOND);
  expect(await early).toBeUndefined();
  await jest.advanceTimersByTimeAsync(45 * SECOND);
  for (const owner of ['d', 'e', 'f']) {
    const newcomer = start(owner);
    await jest.advanceTimersByTimeAsync(0);
    expect(await newcomer).toBeDefined();
  }
  expect(held.map((one) => one?.reason !== undefined)).toEqual([true, false, true, false, true, false]);
  // Six workspaces with one each: none has more than its share.
  const last = start('g');
  await jest.advanceTimersByTimeAsync(15 * SECOND);
  expect(await last).toBeUndefined();
});

test('who is slow gives way before who has two, and the slowest first', async () => {
  const [ofA, ofB, ofC] = await startAll('a', 'b', 'c', 'd', 'e', 'a');
  await jest.advanceTimersByTimeAsync(30 * SECOND);
  stall(ofC);
  await jest.advanceTimersByTimeAsync(18 * SECOND);
  stall(ofB);
  await jest.advanceTimersByTimeAsync(12 * SECOND);
  for (const [newcomer, loser] of [
    ['f', ofC],
    ['g', ofB],
    ['h', ofA],
  ] as const) {
    const started = start(newcomer);
    await jest.advanceTimersByTimeAsync(0);
    expect(await started).toBeDefined();
    expect(loser?.reason).toMatch(GIVES_WAY);
  }
});

test('a workspace that has a stream ends nobody’s', async () => {
  const held = await startAll('a', 'a', 'b', 'b', 'c', 'd');
  held.forEach(stall);
  await jest.advanceTimersByTimeAsync(60 * SECOND);
  expect(await start('c')).toBeUndefined();
  expect(await start('d')).toBeUndefined();
  expect(held.map((one) => one?.reason)).toEqual(Array(6).fill(undefined));
});

test('one that ends by itself makes room for who waits', async () => {
  const held = await startAll('a', 'a', 'b', 'b', 'c', 'c');
  const newcomer = start('d');
  await jest.advanceTimersByTimeAsync(5 * SECOND);
  held[3]?.stream.destroy();
  await jest.advanceTimersByTimeAsync(0);
  expect(await newcomer).toBeDefined();
});

test('who has gone away waits no longer', async () => {
  await startAll('a', 'a', 'b', 'b', 'c', 'c');
  const caller = new AbortController();
  const waiting = slots.acquire('d', caller.signal);
  caller.abort();
  expect(await waiting).toBeUndefined();
});
