import { NO_END, SimulationTurn, SimulationTurns } from './simulation-turns.js';

/** Work that reports when it was done. */
function* pieces(count: number, done: number[]): Generator<void> {
  for (let piece = 1; piece <= count; piece++) {
    done.push(piece);
    yield;
  }
}

test('work that has its time is done to its end', async () => {
  const done: number[] = [];
  const turn = new SimulationTurn(performance.now(), NO_END, () => true);
  expect([await turn.drive(pieces(3, done)), done]).toEqual([true, [1, 2, 3]]);
});

test.each([
  [
    'its time is over, the time that it waited among it',
    { longest: 1_000, whileAwaited: 1_000 },
    1_001,
    false,
  ],
  ['others wait', { longest: 60_000, whileAwaited: 0 }, 0, true],
])('work ends behind a piece when %s', async (_, time, waited, isAwaited) => {
  const done: number[] = [];
  const turn = new SimulationTurn(performance.now() - waited, time, () => isAwaited);
  expect([await turn.drive(pieces(3, done)), done]).toEqual([false, [1]]);
});

test('one that runs hears of others that wait, and they have their turn when it ends', async () => {
  const turns = new SimulationTurns();
  const order: string[] = [];
  const time = { longest: 60_000, whileAwaited: 0 };
  const never = new Promise<void>(() => undefined);
  void turns.take('b', NO_END, () => never);
  const first = turns.take('a', time, async (turn) => {
    // No other simulation waits yet.
    expect(turn.isOver).toBe(false);
    const others = turns.take('c', NO_END, async () => void order.push('c'));
    await Promise.resolve();
    expect(turn.isOver).toBe(true);
    order.push('a');
    return { others };
  });
  await (
    await first
  ).others;
  expect(order).toEqual(['a', 'c']);
});
