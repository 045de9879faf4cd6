import { awaitTurn, isTurn } from './awaited-turn.js';
import { Turns, type Turn } from './turns.js';

const LONG = 60_000;

function door(waiting = 1): Turns {
  const bounds = { running: 1, waiting, waitingBytes: 100 };
  return new Turns(bounds, bounds);
}

async function turnOf(turns: Turns): Promise<Turn> {
  const turn = await awaitTurn(turns, { owner: 'a', patience: LONG });
  if (!isTurn(turn)) throw new Error(turn);
  return turn;
}

test('who finds room has a turn at once, and has not waited', async () => {
  let waited = 0;
  const onWaiting = (): unknown => waited++;
  const turns = door();
  expect(isTurn(await awaitTurn(turns, { owner: 'a', patience: 0, onWaiting }))).toBe(true);
  expect(waited).toBe(0);
});

test('who waits has a turn when the one before gives it back', async () => {
  let waited = 0;
  const onWaiting = (): unknown => waited++;
  const turns = door();
  const first = await turnOf(turns);
  const second = awaitTurn(turns, { owner: 'b', patience: LONG, onWaiting });
  expect(waited).toBe(1);
  first.leave();
  expect(isTurn(await second)).toBe(true);
  expect([turns.running, turns.waiting]).toEqual([1, 0]);
});

test.each([
  ['bytes', { bytes: 101 }],
  ['places', { bytes: 0 }],
])('too much waits already: %s', async (what, { bytes }) => {
  const turns = door(what === 'places' ? 0 : 1);
  await turnOf(turns);
  expect(await awaitTurn(turns, { owner: 'b', bytes, patience: LONG })).toBe('full');
});

test('who has waited for long enough, or is called off, leaves the queue', async () => {
  const turns = door();
  const first = await turnOf(turns);
  expect(await awaitTurn(turns, { owner: 'b', patience: 1 })).toBe('late');
  const ending = new AbortController();
  const called = awaitTurn(turns, { owner: 'b', patience: LONG, signal: ending.signal });
  expect(turns.waiting).toBe(1);
  ending.abort();
  expect(await called).toBe('aborted');
  expect(turns.waiting).toBe(0);
  first.leave();
  expect(turns.running).toBe(0);
  expect(await awaitTurn(turns, { owner: 'b', patience: LONG, signal: ending.signal })).toBe('aborted');
});
