import { TransportSlots } from './transport-slots.js';

const at = (milliseconds: number): Date => new Date(milliseconds);

const TRANSACTIONAL = { transactional: true, promotional: false };
const PROMOTIONAL = { transactional: false, promotional: true };
const BOTH = { transactional: true, promotional: true };
const take = (lanes: TransportSlots, holder: object, milliseconds: number): number =>
  lanes.acquire(holder, TRANSACTIONAL, at(milliseconds)).all;

describe('TransportSlots', () => {
  test('are shared by those who have joined, and never more are taken than there are', () => {
    const lanes = new TransportSlots(8);
    const [one, two] = [{}, {}];
    lanes.join(one);
    expect(take(lanes, one, 0)).toBe(8);
    lanes.join(two);
    expect(take(lanes, two, 0)).toBe(0);
    lanes.release(one, { all: 3, promotional: 0 });
    expect(take(lanes, one, 0)).toBe(0);
    expect(take(lanes, two, 0)).toBe(3);
    lanes.leave(one);
    expect(take(lanes, two, 0)).toBe(5);
  });

  test('nobody gives back more than they have', () => {
    const lanes = new TransportSlots(2);
    const [one, two] = [{}, {}];
    lanes.join(one);
    lanes.join(two);
    expect(take(lanes, one, 0)).toBe(1);
    lanes.release(two, { all: 5, promotional: 0 });
    lanes.release(one, { all: 5, promotional: 0 });
    lanes.leave(one);
    expect(take(lanes, two, 0)).toBe(2);
    expect(take(lanes, two, 0)).toBe(0);
  });

  test('tell when one is free', async () => {
    const lanes = new TransportSlots(1);
    const holder = {};
    lanes.join(holder);
    take(lanes, holder, 0);
    const freed = lanes.whenReleased();
    lanes.leave(holder);
    await freed;
  });

  test('are held back while the server is away, ever longer, and tried with one message', () => {
    const lanes = new TransportSlots(8);
    const holder = {};
    lanes.join(holder);
    for (let chance = 0; chance < 4; chance++) {
      lanes.recordUnreachable(at(0));
      lanes.recordUnreachable(at(0));
      lanes.recordAnswer();
    }
    expect(lanes.isHeldBack(at(0))).toBe(false);
    for (let miss = 0; miss < 3; miss++) lanes.recordUnreachable(at(0));
    lanes.recordUnreachable(at(500));
    expect(take(lanes, holder, 999)).toBe(0);
    expect(take(lanes, holder, 1_000)).toBe(1);
    expect(take(lanes, holder, 1_000)).toBe(0);
    lanes.release(holder, { all: 1, promotional: 0 });
    lanes.recordUnreachable(at(1_000));
    expect(lanes.isHeldBack(at(2_999))).toBe(true);
    expect(take(lanes, holder, 3_000)).toBe(1);
    lanes.recordAnswer();
    expect(take(lanes, holder, 3_000)).toBe(7);
  });

  test('are held back when connection after connection breaks before an answer, and by no chance breaks', () => {
    const lanes = new TransportSlots(8);
    const holder = {};
    lanes.join(holder);
    for (let round = 0; round < 3; round++) {
      for (let broken = 0; broken < 7; broken++) lanes.recordBrokenConnection(at(0));
      lanes.recordAnswer();
    }
    expect(take(lanes, holder, 0)).toBe(8);
    for (let broken = 0; broken < 8; broken++) lanes.recordBrokenConnection(at(0));
    lanes.release(holder, { all: 8, promotional: 0 });
    expect(take(lanes, holder, 999)).toBe(0);
    // From here on each broken connection lengthens the pause, until there is an answer.
    expect(take(lanes, holder, 1_000)).toBe(1);
    lanes.recordBrokenConnection(at(1_000));
    lanes.release(holder, { all: 1, promotional: 0 });
    expect(take(lanes, holder, 2_999)).toBe(0);
    expect(take(lanes, holder, 3_000)).toBe(1);
    lanes.recordAnswer();
    expect(take(lanes, holder, 3_000)).toBe(7);
  });

  test('promotional messages have three quarters of all at most, whoever sends them', () => {
    const lanes = new TransportSlots(8);
    const [one, two] = [{}, {}];
    lanes.join(one);
    expect(lanes.acquire(one, PROMOTIONAL, at(0))).toMatchObject({ all: 6, promotional: 6 });
    expect(lanes.acquire(one, PROMOTIONAL, at(0))).toMatchObject({ all: 0, promotional: 0 });
    lanes.join(two);
    expect(lanes.acquire(two, PROMOTIONAL, at(0))).toMatchObject({ all: 0 });
    expect(lanes.acquire(two, BOTH, at(0))).toMatchObject({ all: 2, promotional: 0 });
    lanes.release(one, { all: 4, promotional: 4 });
    expect(lanes.acquire(one, BOTH, at(0))).toMatchObject({ all: 2, promotional: 2 });
    expect(lanes.acquire(two, BOTH, at(0))).toMatchObject({ all: 2, promotional: 2 });
    lanes.leave(one);
    lanes.leave(two);
    lanes.join(one);
    expect(lanes.acquire(one, BOTH, at(0))).toMatchObject({ all: 8, promotional: 6 });
  });

  test("promotional messages that have waited long have an eighth of their tenant's, of which they may have some", () => {
    const lanes = new TransportSlots(16);
    const holder = {};
    lanes.join(holder);
    expect(lanes.acquire(holder, BOTH, at(0)).overdue).toBe(2);
    lanes.leave(holder);
    lanes.join(holder);
    lanes.acquire(holder, PROMOTIONAL, at(0));
    lanes.release(holder, { all: 11, promotional: 11 });
    expect(lanes.acquire(holder, BOTH, at(0)).overdue).toBe(1);
    expect(lanes.acquire(holder, BOTH, at(0)).overdue).toBe(0);
  });

  test('are held back for as long as the server asks', () => {
    const lanes = new TransportSlots(8);
    lanes.recordUnreachable(at(0), 60_000);
    expect(lanes.isHeldBack(at(59_999))).toBe(true);
    expect(lanes.isHeldBack(at(60_000))).toBe(false);
    const holder = {};
    lanes.join(holder);
    expect(lanes.isProbing).toBe(false);
    expect(take(lanes, holder, 60_000)).toBe(1);
    expect(lanes.isProbing).toBe(true);
    lanes.recordAnswer();
    expect(lanes.isProbing).toBe(false);
  });

  test('who joins again keeps what it has', () => {
    const lanes = new TransportSlots(2);
    const holder = {};
    lanes.join(holder);
    expect(take(lanes, holder, 0)).toBe(2);
    lanes.join(holder);
    expect(take(lanes, holder, 0)).toBe(0);
    lanes.leave(holder);
    expect(take(lanes, holder, 0)).toBe(2);
  });
});
