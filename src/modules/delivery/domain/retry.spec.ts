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

  test('an unknown fate: once more when it is transactional, never when it is not', () => {
    expect(after('unknown_fate')).toMatchObject({ kind: 'again', reissue: true });
    expect(after('unknown_fate', { reissues: 1 })).toEqual({ kind: 'unknown', detail: 'said so' });
    expect(after('unknown_fate', { contentType: 'promotional' })).toEqual({
      kind: 'unknown',
      detail: 'said so',
    });
  });
});
