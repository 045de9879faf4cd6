/**
 * Section 8.1 across processes: regardless of what they do, and of late responses, no more than the limit passes in any
 * interval of the window's length. The store in these tests is the simplest model of the real ones, which have the same
 * tests in test/limits.
 */
import fc from 'fast-check';
import { type LeaseRequest, type LeaseGrant, LeasedWindow, SLOTS } from './leased-window.js';
import { runs } from '../../../../test/support/test-scope.js';

const LENGTH = 60_000;
const SLOT = LENGTH / SLOTS;
const BEGINNING = 1_700_000_000_000;

/** Counts grants by slot. */
class PlainAccount {
  private readonly slots = new Map<number, number>();

  take({ limit, required, requested, unused, unusedSlot }: LeaseRequest, now: number): LeaseGrant {
    const slot = Math.floor(now / SLOT);
    if (unused > 0) this.slots.set(unusedSlot, Math.max(0, (this.slots.get(unusedSlot) ?? 0) - unused));
    const inWindow = [...this.slots].filter(([one, count]) => one >= slot - SLOTS && count > 0);
    const used = inWindow.reduce((sum, [, count]) => sum + count, 0);
    const room = Math.max(0, limit - used);
    const ahead = room < 256 ? 0 : Math.min(requested, Math.floor(room / 16));
    const granted = Math.min(room, Math.max(required, ahead));
    this.slots.set(slot, (this.slots.get(slot) ?? 0) + granted);
    const oldest = Math.min(slot, ...inWindow.map(([one]) => one));
    return {
      granted,
      slot,
      slotLeft: (slot + 1) * SLOT - now,
      used: used + granted,
      freesIn: (oldest + SLOTS + 1) * SLOT - now,
    };
  }
}

/** A process with its own clock and at most one request to the store in flight. */
class Holder {
  readonly window = new LeasedWindow('w', LENGTH);
  private underWay: { ask: LeaseRequest; sentAt: number; grant?: LeaseGrant } | undefined;
  private need = 0;

  constructor(
    private readonly account: PlainAccount,
    private readonly skew: number,
    private readonly limit: number,
  ) {}

  /** @returns whether a request passes immediately. */
  request(now: number): boolean {
    const local = now + this.skew;
    const standing = this.window.status(this.limit, local);
    if (standing === 'room') this.window.use(local);
    if (standing === 'unknown') this.need++;
    return standing === 'room';
  }

  send(now: number): void {
    if (this.underWay) return;
    const sentAt = now + this.skew;
    this.window.retire(sentAt);
    this.underWay = { ask: this.window.requestLease(this.limit, this.need, sentAt), sentAt };
    this.need = 0;
  }

  look(now: number): void {
    if (this.underWay && !this.underWay.grant)
      this.underWay.grant = this.account.take(this.underWay.ask, now);
  }

  /** A lost response has been counted all the same. */
  hear(now: number, isLost: boolean): void {
    if (!this.underWay?.grant) return;
    const { ask, grant, sentAt } = this.underWay;
    if (!isLost) this.window.applyGrant(ask, grant, sentAt, now + this.skew);
    this.underWay = undefined;
  }
}

const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 }) },
  { weight: 3, arbitrary: fc.integer({ min: 200, max: 1_500 }) },
  // Requests granted in advance must not be used after the window has moved on.
  { weight: 1, arbitrary: fc.integer({ min: LENGTH - 1_500, max: LENGTH + 1_500 }) },
);
type Act = 'serve' | 'served late' | 'request' | 'send' | 'look' | 'hear' | 'lose';
const acts = fc.array(
  fc.record({
    holder: fc.integer({ min: 0, max: 3 }),
    gap: gaps,
    requests: fc.integer({ min: 1, max: 15 }),
    later: fc.integer({ min: 0, max: 15 }),
    act: fc.oneof(
      { weight: 6, arbitrary: fc.constant<Act>('serve') },
      { weight: 3, arbitrary: fc.constant<Act>('served late') },
      { weight: 4, arbitrary: fc.constantFrom<Act>('request', 'send', 'look', 'hear', 'lose') },
    ),
  }),
  { minLength: 20, maxLength: 200 },
);

function overfull(moments: readonly number[], limit: number): number {
  return moments.filter(
    (start, i) => moments.slice(i).filter((moment) => moment < start + LENGTH).length > limit,
  ).length;
}

test('never more than the limit passes in any minute, whoever asks whenever', () => {
  let full = 0;
  let ahead = 0;
  fc.assert(
    fc.property(
      acts,
      fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 260, max: 400 })),
      fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: -90_000, max: 90_000 }))),
      (steps, limit, skews) => {
        const account = new PlainAccount();
        const holders = skews.map((skew) => new Holder(account, skew, limit));
        const passed: number[] = [];
        let now = BEGINNING;
        for (const { holder: index, gap, requests, later, act } of steps) {
          now += gap;
          const holder = holders[index];
          if (!holder) continue;
          const ask = (): void => {
            if (holder.request(now)) passed.push(now);
          };
          const isServed = act === 'serve' || act === 'served late';
          if (isServed || act === 'request') for (let i = 0; i < requests; i++) ask();
          if (isServed || act === 'send') holder.send(now);
          if (isServed || act === 'look') holder.look(now);
          if (act === 'served late') now += requests * 100;
          if (isServed || act === 'hear' || act === 'lose') holder.hear(now, act === 'lose');
          if (isServed) for (let i = 0; i < later; i++) ask();
          if (holder.window.status(limit, now + (skews[index] ?? 0)) === 'full') full++;
          if (holder.window.isLeased) ahead++;
        }
        expect(overfull(passed, limit)).toBe(0);
      },
    ),
    { numRuns: runs(500) },
  );
  // Ensures that the window was full, and requests were held in advance, often enough to be meaningful.
  expect(full).toBeGreaterThan(300);
  expect(ahead).toBeGreaterThan(300);
});

describe('a process', () => {
  const heard = (
    window: LeasedWindow,
    account: PlainAccount,
    limit: number,
    need: number,
    now: number,
  ): LeaseGrant => {
    const ask = window.requestLease(limit, need, now);
    const grant = account.take(ask, now);
    window.applyGrant(ask, grant, now, now);
    return grant;
  };

  test('that asks seldom takes what it needs and no more', () => {
    const [window, account] = [new LeasedWindow('w', LENGTH), new PlainAccount()];
    for (let i = 0; i < 5; i++) {
      const now = BEGINNING + i * 3_000;
      expect(window.status(60, now)).toBe('unknown');
      expect(heard(window, account, 60, 1, now).granted).toBe(1);
      expect(window.capacity).toBe(60 - i);
      window.use(now);
    }
  });

  test('that asks often takes some in advance, and gives back what has not come', () => {
    const [window, account] = [new LeasedWindow('w', LENGTH), new PlainAccount()];
    heard(window, account, 16_000, 100, BEGINNING);
    for (let i = 0; i < 100; i++) window.use(BEGINNING);
    const { granted } = heard(window, account, 16_000, 1, BEGINNING + 100);
    expect(granted).toBe(1 + Math.floor((100 * 500) / 100));
    expect(window.isNearlyUsed).toBe(false);
    window.use(BEGINNING + 100);
    const back = window.requestReturn(16_000, BEGINNING + 100);
    expect(back).toMatchObject({ required: 0, requested: 0, unused: 0 });
    for (let i = 0; i < 375; i++) window.use(BEGINNING + 200);
    expect(window.isNearlyUsed).toBe(false);
    window.use(BEGINNING + 200);
    expect(window.isNearlyUsed).toBe(true);
    expect(window.requestLease(16_000, 0, BEGINNING + 200).requested).toBe(377 * 5 - 124);
    expect(window.retire(BEGINNING + SLOT - 1)).toBe(false);
    expect(window.retire(BEGINNING + SLOT)).toBe(true);
    expect(heard(window, account, 16_000, 0, BEGINNING + SLOT)).toMatchObject({ granted: 0, used: 477 });
    expect(window.retire(BEGINNING + SLOT)).toBe(false);
  });

  test('that finds the window full refuses without asking for a moment', () => {
    const [one, other, account] = [
      new LeasedWindow('w', LENGTH),
      new LeasedWindow('w', LENGTH),
      new PlainAccount(),
    ];
    heard(one, account, 10, 10, BEGINNING);
    expect(heard(other, account, 10, 1, BEGINNING)).toMatchObject({ granted: 0, used: 10 });
    expect(other.status(10, BEGINNING + 99)).toBe('full');
    expect(other.status(10, BEGINNING + 100)).toBe('unknown');
    expect(other.status(11, BEGINNING)).toBe('unknown');
    expect(other.status(10, BEGINNING - 1)).toBe('unknown');
    expect([other.capacity, other.freesAt]).toEqual([0, BEGINNING + LENGTH + SLOT]);
  });

  test('uses nothing under a smaller limit than it was granted under', () => {
    const [window, account] = [new LeasedWindow('w', LENGTH), new PlainAccount()];
    heard(window, account, 100, 80, BEGINNING);
    expect(window.status(60, BEGINNING)).toBe('unknown');
    expect(window.status(200, BEGINNING)).toBe('room');
    expect(heard(window, account, 60, 1, BEGINNING)).toMatchObject({ granted: 1, used: 1 });
    expect(window.status(60, BEGINNING)).toBe('room');
  });

  describe('that is granted more while it holds some', () => {
    const ask: LeaseRequest = {
      key: 'w',
      length: LENGTH,
      limit: 10,
      required: 0,
      requested: 5,
      unused: 0,
      unusedSlot: 0,
    };
    const grant: LeaseGrant = { granted: 5, slot: 7, slotLeft: 800, used: 5, freesIn: LENGTH };
    let window: LeasedWindow;
    beforeEach(() => {
      window = new LeasedWindow('w', LENGTH);
      window.applyGrant(ask, grant, 0, 0);
    });

    test('is asked for again where it came too late, though nothing else is left', () => {
      const window = new LeasedWindow('w', LENGTH);
      const late = window.requestLease(10, 5, 0);
      window.applyGrant(late, { granted: 5, slot: 7, slotLeft: 10, used: 10, freesIn: LENGTH }, 0, 50);
      expect(window.status(10, 50)).toBe('unknown');
      const again = window.requestLease(10, 5, 50);
      expect(again).toMatchObject({ required: 5, unused: 5, unusedSlot: 7 });
      window.applyGrant(again, { granted: 5, slot: 8, slotLeft: 900, used: 10, freesIn: LENGTH }, 50, 60);
      expect(window.status(10, 60)).toBe('room');
      for (let n = 0; n < 5; n++) window.use(60);
      expect(window.status(10, 60)).toBe('full');
    });

    test('adds what is of the same slot, and gives all of it back together', () => {
      window.applyGrant(ask, { ...grant, granted: 2, used: 7, slotLeft: 700 }, 100, 100);
      expect([window.isLeased, window.capacity]).toEqual([true, 10]);
      expect(window.retire(799)).toBe(false);
      expect(window.retire(800)).toBe(true);
      expect(window.isLeased).toBe(false);
      expect(window.requestReturn(10, 800)).toMatchObject({ unused: 7, unusedSlot: 7 });
      expect(window.requestReturn(10, 800)).toMatchObject({ unused: 0 });
    });

    test('gives back what is of an earlier slot, for that slot', () => {
      window.applyGrant(ask, { ...grant, granted: 2, slot: 8, used: 7 }, 500, 500);
      expect(window.capacity).toBe(5);
      expect(window.requestReturn(10, 500)).toMatchObject({ unused: 5, unusedSlot: 7 });
    });

    test('gives back what it ended twice in one slot', () => {
      window.endLease();
      window.applyGrant(ask, { ...grant, granted: 3 }, 10, 10);
      window.endLease();
      window.endLease();
      expect(window.requestReturn(10, 10)).toMatchObject({ unused: 8, unusedSlot: 7 });
    });

    test('gives back for the later slot alone where it ended leases of two', () => {
      window.endLease();
      window.applyGrant(ask, { ...grant, granted: 3, slot: 8 }, 500, 500);
      window.endLease();
      expect(window.requestReturn(10, 500)).toMatchObject({ unused: 3, unusedSlot: 8 });
    });

    test('still gives back an earlier slot when a later lease leaves nothing', () => {
      window.endLease();
      window.applyGrant(ask, { ...grant, granted: 1, slot: 8 }, 500, 500);
      window.use(500);
      window.endLease();
      expect(window.requestReturn(10, 500)).toMatchObject({ unused: 5, unusedSlot: 7 });
    });

    test.each([
      ['a smaller', 6],
      ['a greater', 20],
    ])('lets it pass under the greater limit alone: it was granted under %s one', (_, limit) => {
      window.applyGrant({ ...ask, limit }, { ...grant, granted: 1 }, 100, 100);
      const greater = Math.max(10, limit);
      expect(window.status(greater, 100)).toBe('room');
      expect(window.status(greater - 1, 100)).toBe('unknown');
    });

    test('lets pass under the last limit what is granted once the lease is used up', () => {
      for (let i = 0; i < 5; i++) window.use(50);
      expect(window.isLeased).toBe(false);
      window.applyGrant({ ...ask, limit: 6 }, { ...grant, granted: 1, used: 6 }, 100, 100);
      expect(window.status(6, 100)).toBe('room');
    });
  });

  test('asks for more beforehand only while there is room for more', () => {
    const window = new LeasedWindow('w', LENGTH);
    const ask: LeaseRequest = {
      key: 'w',
      length: LENGTH,
      limit: 8,
      required: 0,
      requested: 8,
      unused: 0,
      unusedSlot: 0,
    };
    for (const [used, runsLow] of [
      [7, true],
      [8, false],
    ] as const) {
      window.applyGrant(ask, { granted: 8, slot: 1, slotLeft: 1_000, used, freesIn: LENGTH }, 0, 0);
      for (let i = 0; i < 7; i++) window.use(0);
      expect(window.isNearlyUsed).toBe(runsLow);
      window.use(0);
    }
  });

  test('lets go of a lease when its clock is set back', () => {
    const [window, account] = [new LeasedWindow('w', LENGTH), new PlainAccount()];
    heard(window, account, 100, 80, BEGINNING);
    expect(window.status(100, BEGINNING - 3_600_000)).toBe('unknown');
  });
});
