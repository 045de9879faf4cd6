import { acquirePermit, isPermit } from './acquire-permit.js';
import { FairQueue, type Permit } from './fair-queue.js';

const LONG = 60_000;

function door(waiting = 1): FairQueue {
  const bounds = { running: 1, waiting, waitingBytes: 100 };
  return new FairQueue(bounds, bounds);
}

async function turnOf(turns: FairQueue): Promise<Permit> {
  const turn = await acquirePermit(turns, { owner: 'a', maxWaitMs: LONG });
  if (!isPermit(turn)) throw new Error(turn);
  return turn;
}

test('who finds room has a turn at once, and has not waited', async () => {
  let waited = 0;
  const onWaiting = (): unknown => waited++;
  const turns = door();
  expect(isPermit(await acquirePermit(turns, { owner: 'a', maxWaitMs: 0, onWaiting }))).toBe(true);
  expect(waited).toBe(0);
});

test('who waits has a turn when the one before gives it back', async () => {
  let waited = 0;
  const onWaiting = (): unknown => waited++;
  const turns = door();
  const first = await turnOf(turns);
  const second = acquirePermit(turns, { owner: 'b', maxWaitMs: LONG, onWaiting });
  expect(waited).toBe(1);
  first.release();
  expect(isPermit(await second)).toBe(true);
  expect([turns.running, turns.waiting]).toEqual([1, 0]);
});

test.each([
  ['bytes', { bytes: 101 }],
  ['places', { bytes: 0 }],
])('too much waits already: %s', async (what, { bytes }) => {
  const turns = door(what === 'places' ? 0 : 1);
  await turnOf(turns);
  expect(await acquirePermit(turns, { owner: 'b', bytes, maxWaitMs: LONG })).toBe('full');
});

test('who has waited for long enough, or is called off, leaves the queue', async () => {
  const turns = door();
  const first = await turnOf(turns);
  expect(await acquirePermit(turns, { owner: 'b', maxWaitMs: 1 })).toBe('late');
  const ending = new AbortController();
  const called = acquirePermit(turns, { owner: 'b', maxWaitMs: LONG, signal: ending.signal });
  expect(turns.waiting).toBe(1);
  ending.abort();
  expect(await called).toBe('aborted');
  expect(turns.waiting).toBe(0);
  first.release();
  expect(turns.running).toBe(0);
  expect(await acquirePermit(turns, { owner: 'b', maxWaitMs: LONG, signal: ending.signal })).toBe('aborted');
});
