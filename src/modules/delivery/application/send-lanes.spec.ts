import { SendLanes } from './send-lanes.js';

const at = (milliseconds: number): Date => new Date(milliseconds);

describe('SendLanes', () => {
  test('are shared by those who have joined, and never more are taken than there are', () => {
    const lanes = new SendLanes(8);
    const [one, two] = [{}, {}];
    lanes.join(one);
    expect(lanes.take(one, at(0))).toBe(8);
    lanes.join(two);
    expect(lanes.take(two, at(0))).toBe(0);
    lanes.give(one, 3);
    expect(lanes.take(one, at(0))).toBe(0);
    expect(lanes.take(two, at(0))).toBe(3);
    lanes.leave(one);
    expect(lanes.take(two, at(0))).toBe(5);
  });

  test('nobody gives back more than they have', () => {
    const lanes = new SendLanes(2);
    const [one, two] = [{}, {}];
    lanes.join(one);
    lanes.join(two);
    expect(lanes.take(one, at(0))).toBe(1);
    lanes.give(two, 5);
    lanes.give(one, 5);
    lanes.leave(one);
    expect(lanes.take(two, at(0))).toBe(2);
    expect(lanes.take(two, at(0))).toBe(0);
  });

  test('tell when one is free', async () => {
    const lanes = new SendLanes(1);
    const holder = {};
    lanes.join(holder);
    lanes.take(holder, at(0));
    const freed = lanes.freed();
    lanes.leave(holder);
    await freed;
  });

  test('are held back while the server is away, ever longer, and tried with one message', () => {
    const lanes = new SendLanes(8);
    const holder = {};
    lanes.join(holder);
    for (let chance = 0; chance < 4; chance++) {
      lanes.unreachable(at(0));
      lanes.unreachable(at(0));
      lanes.reached();
    }
    expect(lanes.isHeldBack(at(0))).toBe(false);
    for (let miss = 0; miss < 3; miss++) lanes.unreachable(at(0));
    lanes.unreachable(at(500));
    expect(lanes.take(holder, at(999))).toBe(0);
    expect(lanes.take(holder, at(1_000))).toBe(1);
    expect(lanes.take(holder, at(1_000))).toBe(0);
    lanes.give(holder, 1);
    lanes.unreachable(at(1_000));
    expect(lanes.isHeldBack(at(2_999))).toBe(true);
    expect(lanes.take(holder, at(3_000))).toBe(1);
    lanes.reached();
    expect(lanes.take(holder, at(3_000))).toBe(7);
  });

  test('are held back when connection after connection breaks before an answer, and by no chance breaks', () => {
    const lanes = new SendLanes(8);
    const holder = {};
    lanes.join(holder);
    for (let round = 0; round < 3; round++) {
      for (let broken = 0; broken < 7; broken++) lanes.broken(at(0));
      lanes.reached();
    }
    expect(lanes.take(holder, at(0))).toBe(8);
    for (let broken = 0; broken < 8; broken++) lanes.broken(at(0));
    lanes.give(holder, 8);
    expect(lanes.take(holder, at(999))).toBe(0);
    // From then on each break lengthens the pause, until there is an answer.
    expect(lanes.take(holder, at(1_000))).toBe(1);
    lanes.broken(at(1_000));
    lanes.give(holder, 1);
    expect(lanes.take(holder, at(2_999))).toBe(0);
    expect(lanes.take(holder, at(3_000))).toBe(1);
    lanes.reached();
    expect(lanes.take(holder, at(3_000))).toBe(7);
  });
});
