import { SendLanes } from './send-lanes.js';

const at = (milliseconds: number): Date => new Date(milliseconds);

const TRANSACTIONAL = { transactional: true, promotional: false };
const PROMOTIONAL = { transactional: false, promotional: true };
const BOTH = { transactional: true, promotional: true };
const take = (lanes: SendLanes, holder: object, milliseconds: number): number =>
  lanes.take(holder, TRANSACTIONAL, at(milliseconds)).all;

describe('SendLanes', () => {
  test('are shared by those who have joined, and never more are taken than there are', () => {
    const lanes = new SendLanes(8);
    const [one, two] = [{}, {}];
    lanes.join(one);
    expect(take(lanes, one, 0)).toBe(8);
    lanes.join(two);
    expect(take(lanes, two, 0)).toBe(0);
    lanes.give(one, { all: 3, promotional: 0 });
    expect(take(lanes, one, 0)).toBe(0);
    expect(take(lanes, two, 0)).toBe(3);
    lanes.leave(one);
    expect(take(lanes, two, 0)).toBe(5);
  });

  test('nobody gives back more than they have', () => {
    const lanes = new SendLanes(2);
    const [one, two] = [{}, {}];
    lanes.join(one);
    lanes.join(two);
    expect(take(lanes, one, 0)).toBe(1);
    lanes.give(two, { all: 5, promotional: 0 });
    lanes.give(one, { all: 5, promotional: 0 });
    lanes.leave(one);
    expect(take(lanes, two, 0)).toBe(2);
    expect(take(lanes, two, 0)).toBe(0);
  });

  test('tell when one is free', async () => {
    const lanes = new SendLanes(1);
    const holder = {};
    lanes.join(holder);
    take(lanes, holder, 0);
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
    expect(take(lanes, holder, 999)).toBe(0);
    expect(take(lanes, holder, 1_000)).toBe(1);
    expect(take(lanes, holder, 1_000)).toBe(0);
    lanes.give(holder, { all: 1, promotional: 0 });
    lanes.unreachable(at(1_000));
    expect(lanes.isHeldBack(at(2_999))).toBe(true);
    expect(take(lanes, holder, 3_000)).toBe(1);
    lanes.reached();
    expect(take(lanes, holder, 3_000)).toBe(7);
  });

  test('are held back when connection after connection breaks before an answer, and by no chance breaks', () => {
    const lanes = new SendLanes(8);
    const holder = {};
    lanes.join(holder);
    for (let round = 0; round < 3; round++) {
      for (let broken = 0; broken < 7; broken++) lanes.broken(at(0));
      lanes.reached();
    }
    expect(take(lanes, holder, 0)).toBe(8);
    for (let broken = 0; broken < 8; broken++) lanes.broken(at(0));
    lanes.give(holder, { all: 8, promotional: 0 });
    expect(take(lanes, holder, 999)).toBe(0);
    // From here on each broken connection lengthens the pause, until there is an answer.
    expect(take(lanes, holder, 1_000)).toBe(1);
    lanes.broken(at(1_000));
    lanes.give(holder, { all: 1, promotional: 0 });
    expect(take(lanes, holder, 2_999)).toBe(0);
    expect(take(lanes, holder, 3_000)).toBe(1);
    lanes.reached();
    expect(take(lanes, holder, 3_000)).toBe(7);
  });

  test('promotional messages have three quarters of all at most, whoever sends them', () => {
    const lanes = new SendLanes(8);
    const [one, two] = [{}, {}];
    lanes.join(one);
    expect(lanes.take(one, PROMOTIONAL, at(0))).toMatchObject({ all: 6, promotional: 6 });
    expect(lanes.take(one, PROMOTIONAL, at(0))).toMatchObject({ all: 0, promotional: 0 });
    lanes.join(two);
    expect(lanes.take(two, PROMOTIONAL, at(0))).toMatchObject({ all: 0 });
    expect(lanes.take(two, BOTH, at(0))).toMatchObject({ all: 2, promotional: 0 });
    lanes.give(one, { all: 4, promotional: 4 });
    expect(lanes.take(one, BOTH, at(0))).toMatchObject({ all: 2, promotional: 2 });
    expect(lanes.take(two, BOTH, at(0))).toMatchObject({ all: 2, promotional: 2 });
    lanes.leave(one);
    lanes.leave(two);
    lanes.join(one);
    expect(lanes.take(one, BOTH, at(0))).toMatchObject({ all: 8, promotional: 6 });
  });

  test("promotional messages that have waited long have an eighth of their tenant's, of which they may have some", () => {
    const lanes = new SendLanes(16);
    const holder = {};
    lanes.join(holder);
    expect(lanes.take(holder, BOTH, at(0)).patient).toBe(2);
    lanes.leave(holder);
    lanes.join(holder);
    lanes.take(holder, PROMOTIONAL, at(0));
    lanes.give(holder, { all: 11, promotional: 11 });
    expect(lanes.take(holder, BOTH, at(0)).patient).toBe(1);
    expect(lanes.take(holder, BOTH, at(0)).patient).toBe(0);
  });

  test('are held back for as long as the server asks', () => {
    const lanes = new SendLanes(8);
    lanes.unreachable(at(0), 60_000);
    expect(lanes.isHeldBack(at(59_999))).toBe(true);
    expect(lanes.isHeldBack(at(60_000))).toBe(false);
    const holder = {};
    lanes.join(holder);
    expect(lanes.isOnTrial).toBe(false);
    expect(take(lanes, holder, 60_000)).toBe(1);
    expect(lanes.isOnTrial).toBe(true);
    lanes.reached();
    expect(lanes.isOnTrial).toBe(false);
  });

  test('who joins again keeps what it has', () => {
    const lanes = new SendLanes(2);
    const holder = {};
    lanes.join(holder);
    expect(take(lanes, holder, 0)).toBe(2);
    lanes.join(holder);
    expect(take(lanes, holder, 0)).toBe(0);
    lanes.leave(holder);
    expect(take(lanes, holder, 0)).toBe(2);
  });
});
