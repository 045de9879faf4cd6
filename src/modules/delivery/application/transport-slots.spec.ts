import { TransportSlots } from './transport-slots.js';

const at = (milliseconds: number): Date => new Date(milliseconds);

const TRANSACTIONAL = { transactional: true, promotional: false };
const PROMOTIONAL = { transactional: false, promotional: true };
const BOTH = { transactional: true, promotional: true };
const take = (slots: TransportSlots, holder: object, milliseconds: number): number =>
  slots.acquire(holder, TRANSACTIONAL, at(milliseconds)).all;

describe('TransportSlots', () => {
  test('are shared by those who have joined, and never more are taken than there are', () => {
    const slots = new TransportSlots(8);
    const [one, two] = [{}, {}];
    slots.join(one);
    expect(take(slots, one, 0)).toBe(8);
    slots.join(two);
    expect(take(slots, two, 0)).toBe(0);
    slots.release(one, { all: 3, promotional: 0 });
    expect(take(slots, one, 0)).toBe(0);
    expect(take(slots, two, 0)).toBe(3);
    slots.leave(one);
    expect(take(slots, two, 0)).toBe(5);
  });

  test('nobody gives back more than they have', () => {
    const slots = new TransportSlots(2);
    const [one, two] = [{}, {}];
    slots.join(one);
    slots.join(two);
    expect(take(slots, one, 0)).toBe(1);
    slots.release(two, { all: 5, promotional: 0 });
    slots.release(one, { all: 5, promotional: 0 });
    slots.leave(one);
    expect(take(slots, two, 0)).toBe(2);
    expect(take(slots, two, 0)).toBe(0);
  });

  test('tell when one is free', async () => {
    const slots = new TransportSlots(1);
    const holder = {};
    slots.join(holder);
    take(slots, holder, 0);
    const freed = slots.whenReleased();
    slots.leave(holder);
    await freed;
  });

  test('are held back while the server is away, ever longer, and tried with one message', () => {
    const slots = new TransportSlots(8);
    const holder = {};
    slots.join(holder);
    for (let chance = 0; chance < 4; chance++) {
      slots.recordUnreachable(at(0));
      slots.recordUnreachable(at(0));
      slots.recordAnswer();
    }
    expect(slots.isHeldBack(at(0))).toBe(false);
    for (let miss = 0; miss < 3; miss++) slots.recordUnreachable(at(0));
    slots.recordUnreachable(at(500));
    expect(take(slots, holder, 999)).toBe(0);
    expect(take(slots, holder, 1_000)).toBe(1);
    expect(take(slots, holder, 1_000)).toBe(0);
    slots.release(holder, { all: 1, promotional: 0 });
    slots.recordUnreachable(at(1_000));
    expect(slots.isHeldBack(at(2_999))).toBe(true);
    expect(take(slots, holder, 3_000)).toBe(1);
    slots.recordAnswer();
    expect(take(slots, holder, 3_000)).toBe(7);
  });

  test('are held back when connection after connection breaks before an answer, and by no chance breaks', () => {
    const slots = new TransportSlots(8);
    const holder = {};
    slots.join(holder);
    for (let round = 0; round < 3; round++) {
      for (let broken = 0; broken < 7; broken++) slots.recordBrokenConnection(at(0));
      slots.recordAnswer();
    }
    expect(take(slots, holder, 0)).toBe(8);
    for (let broken = 0; broken < 8; broken++) slots.recordBrokenConnection(at(0));
    slots.release(holder, { all: 8, promotional: 0 });
    expect(take(slots, holder, 999)).toBe(0);
    // From here on each broken connection lengthens the pause, until there is an answer.
    expect(take(slots, holder, 1_000)).toBe(1);
    slots.recordBrokenConnection(at(1_000));
    slots.release(holder, { all: 1, promotional: 0 });
    expect(take(slots, holder, 2_999)).toBe(0);
    expect(take(slots, holder, 3_000)).toBe(1);
    slots.recordAnswer();
    expect(take(slots, holder, 3_000)).toBe(7);
  });

  test('promotional messages get at most three quarters of all slots, for all senders together', () => {
    const slots = new TransportSlots(8);
    const [one, two] = [{}, {}];
    slots.join(one);
    expect(slots.acquire(one, PROMOTIONAL, at(0))).toMatchObject({ all: 6, promotional: 6 });
    expect(slots.acquire(one, PROMOTIONAL, at(0))).toMatchObject({ all: 0, promotional: 0 });
    slots.join(two);
    expect(slots.acquire(two, PROMOTIONAL, at(0))).toMatchObject({ all: 0 });
    expect(slots.acquire(two, BOTH, at(0))).toMatchObject({ all: 2, promotional: 0 });
    slots.release(one, { all: 4, promotional: 4 });
    expect(slots.acquire(one, BOTH, at(0))).toMatchObject({ all: 2, promotional: 2 });
    expect(slots.acquire(two, BOTH, at(0))).toMatchObject({ all: 2, promotional: 2 });
    slots.leave(one);
    slots.leave(two);
    slots.join(one);
    expect(slots.acquire(one, BOTH, at(0))).toMatchObject({ all: 8, promotional: 6 });
  });

  test("promotional messages that have waited long have an eighth of their tenant's, of which they may have some", () => {
    const slots = new TransportSlots(16);
    const holder = {};
    slots.join(holder);
    expect(slots.acquire(holder, BOTH, at(0)).overdue).toBe(2);
    slots.leave(holder);
    slots.join(holder);
    slots.acquire(holder, PROMOTIONAL, at(0));
    slots.release(holder, { all: 11, promotional: 11 });
    expect(slots.acquire(holder, BOTH, at(0)).overdue).toBe(1);
    expect(slots.acquire(holder, BOTH, at(0)).overdue).toBe(0);
  });

  test('are held back for as long as the server asks', () => {
    const slots = new TransportSlots(8);
    slots.recordUnreachable(at(0), 60_000);
    expect(slots.isHeldBack(at(59_999))).toBe(true);
    expect(slots.isHeldBack(at(60_000))).toBe(false);
    const holder = {};
    slots.join(holder);
    expect(slots.isProbing).toBe(false);
    expect(take(slots, holder, 60_000)).toBe(1);
    expect(slots.isProbing).toBe(true);
    slots.recordAnswer();
    expect(slots.isProbing).toBe(false);
  });

  test('who joins again keeps what it has', () => {
    const slots = new TransportSlots(2);
    const holder = {};
    slots.join(holder);
    expect(take(slots, holder, 0)).toBe(2);
    slots.join(holder);
    expect(take(slots, holder, 0)).toBe(0);
    slots.leave(holder);
    expect(take(slots, holder, 0)).toBe(2);
  });
});
