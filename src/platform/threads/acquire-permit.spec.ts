import { acquirePermit, isPermit } from './acquire-permit.js';
import { FairQueue, type Permit } from './fair-queue.js';

const LONG = 60_000;

function door(waiting = 1): FairQueue {
  const bounds = { running: 1, waiting, waitingBytes: 100 };
  return new FairQueue(bounds, bounds);
}

async function turnOf(queue: FairQueue): Promise<Permit> {
  const turn = await acquirePermit(queue, { owner: 'a', maxWaitMs: LONG });
  if (!isPermit(turn)) throw new Error(turn);
  return turn;
}

test('who finds room has a turn at once, and has not waited', async () => {
  let waited = 0;
  const onWaiting = (): unknown => waited++;
  const queue = door();
  expect(isPermit(await acquirePermit(queue, { owner: 'a', maxWaitMs: 0, onWaiting }))).toBe(true);
  expect(waited).toBe(0);
});

test('who waits has a turn when the one before gives it back', async () => {
  let waited = 0;
  const onWaiting = (): unknown => waited++;
  const queue = door();
  const first = await turnOf(queue);
  const second = acquirePermit(queue, { owner: 'b', maxWaitMs: LONG, onWaiting });
  expect(waited).toBe(1);
  first.release();
  expect(isPermit(await second)).toBe(true);
  expect([queue.running, queue.waiting]).toEqual([1, 0]);
});

test.each([
  ['bytes', { bytes: 101 }],
  ['places', { bytes: 0 }],
])('too much waits already: %s', async (what, { bytes }) => {
  const queue = door(what === 'places' ? 0 : 1);
  await turnOf(queue);
  expect(await acquirePermit(queue, { owner: 'b', bytes, maxWaitMs: LONG })).toBe('full');
});

test('who has waited for long enough, or is called off, leaves the queue', async () => {
  const queue = door();
  const first = await turnOf(queue);
  expect(await acquirePermit(queue, { owner: 'b', maxWaitMs: 1 })).toBe('late');
  const ending = new AbortController();
  const called = acquirePermit(queue, { owner: 'b', maxWaitMs: LONG, signal: ending.signal });
  expect(queue.waiting).toBe(1);
  ending.abort();
  expect(await called).toBe('aborted');
  expect(queue.waiting).toBe(0);
  first.release();
  expect(queue.running).toBe(0);
  expect(await acquirePermit(queue, { owner: 'b', maxWaitMs: LONG, signal: ending.signal })).toBe('aborted');
});
