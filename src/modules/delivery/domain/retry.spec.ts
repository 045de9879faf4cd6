import fc from 'fast-check';
import { afterCrash, afterFailure, mayTryAgain, retryDelay } from './retry.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const HOUR = 3_600_000;
const LOG = { contentType: 'transactional', attempts: 1, reissues: 0, triedSince: NOW } as const;

describe('retryDelay', () => {
  test.each([
    ['temporary', 1, 15_000, 30_000],
    ['temporary', 2, 30_000, 60_000],
    ['temporary', 5, 240_000, 480_000],
    ['temporary', 50, HOUR / 2, HOUR],
    ['unreachable', 1, 1_000, 2_000],
    ['unreachable', 30, 300_000, 600_000],
  ] as const)('%s, attempt %i: from %i to %i ms', (kind, attempt, least, most) => {
    expect(retryDelay(kind, attempt, 0)).toBe(least);
    expect(retryDelay(kind, attempt, 1)).toBe(most);
  });

  test('never shrinks from one attempt to the next, and is a whole number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, random) => {
          const delay = retryDelay('temporary', attempt, random);
          expect(Number.isSafeInteger(delay)).toBe(true);
          expect(retryDelay('temporary', attempt + 1, random)).toBeGreaterThanOrEqual(delay);
        },
      ),
    );
  });
});

test.each([
  [4, 100 * HOUR, true],
  [5, 24 * HOUR - 1, true],
  [5, 24 * HOUR, false],
  [50, HOUR, true],
])('mayTryAgain after %i attempts and %i ms: %s', (attempts, waited, expected) => {
  expect(mayTryAgain(attempts, new Date(NOW.getTime() - waited), NOW)).toBe(expected);
});

test.each([
  ['transactional', 0, 'reissue'],
  ['transactional', 4, 'reissue'],
  ['transactional', 5, 'unknown'],
  ['promotional', 0, 'unknown'],
  ['promotional', 1, 'unknown'],
] as const)('afterCrash of a %s message sent again %i times: %s', (contentType, reissues, expected) => {
  expect(afterCrash({ contentType, reissues })).toBe(expected);
});

describe('afterFailure', () => {
  const after = (kind: 'temporary' | 'permanent' | 'unreachable' | 'unknown_fate', log: object = {}) =>
    afterFailure({ ...LOG, ...log }, { kind, detail: 'said so' }, NOW, 1);

  test('a permanent refusal is final', () => {
    expect(after('permanent')).toEqual({ kind: 'failed', code: 'rejected', detail: 'said so' });
  });

  test.each(['temporary', 'unreachable'] as const)('%s: again later, until it is given up', (kind) => {
    const at = new Date(NOW.getTime() + retryDelay(kind, 3, 1));
    expect(after(kind, { attempts: 3 })).toEqual({
      kind: 'again',
      at,
      code: kind,
      detail: 'said so',
      reissue: false,
    });
    const triedSince = new Date(NOW.getTime() - 25 * HOUR);
    expect(after(kind, { attempts: 9, triedSince })).toEqual({
      kind: 'failed',
      code: 'gave_up',
      detail: 'said so',
    });
  });

  describe('a connection that broke after the content, before an answer', () => {
    test.each([
      [0, 2_000],
      [1, 8_000],
      [2, 32_000],
      [3, 128_000],
      [4, 512_000],
    ])('a transactional message, sent again %i times: once more after at most %i ms', (reissues, pause) => {
      // Earlier refusals do not count: the pauses are those of broken connections.
      expect(after('unknown_fate', { reissues, attempts: 9 })).toEqual({
        kind: 'again',
        at: new Date(NOW.getTime() + pause),
        code: 'unknown_fate',
        detail: 'said so',
        reissue: true,
      });
      const soonest = afterFailure({ ...LOG, reissues }, { kind: 'unknown_fate', detail: '' }, NOW, 0);
      expect(soonest).toMatchObject({ at: new Date(NOW.getTime() + pause / 2) });
    });

    test.each([
      ['transactional', 5],
      ['promotional', 0],
    ] as const)('a %s message, sent again %i times, is of unknown fate', (contentType, reissues) => {
      expect(after('unknown_fate', { contentType, reissues })).toEqual({
        kind: 'unknown',
        detail: 'said so',
      });
    });

    test('who may have the message already has it of unknown fate, whatever keeps further attempts from going', () => {
      const log = { attempts: 9, reissues: 1, triedSince: new Date(NOW.getTime() - 25 * HOUR) };
      expect(after('temporary', log)).toEqual({ kind: 'unknown', detail: 'said so' });
      expect(after('unreachable', log)).toEqual({ kind: 'unknown', detail: 'said so' });
      // An answer about the message itself settles it.
      expect(after('permanent', log)).toMatchObject({ kind: 'failed', code: 'rejected' });
    });
  });
});
