import { isExhausted, addFailure, type Failures } from './retry-policy.js';

const START = new Date('2026-01-01T00:00:00Z');

/** Retries as soon as each pause is over. */
function failing(times: number): { failures: Failures; now: Date; pauses: number[] } {
  let failures: Failures | undefined;
  let now = START;
  const pauses: number[] = [];
  for (let time = 0; time < times; time++) {
    if (failures) now = failures.until;
    failures = addFailure(failures, now);
    pauses.push((failures.until.getTime() - now.getTime()) / 1_000);
  }
  if (!failures) throw new Error('Nothing was tried.');
  return { failures, now, pauses };
}

test('pauses grow, and not beyond five minutes', () => {
  expect(failing(12).pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
});

test('it ends after ten tries and ten minutes, not before both', () => {
  const ended = (times: number): boolean => {
    const { failures, now } = failing(times);
    return isExhausted(failures, now);
  };
  expect([1, 9, 10, 11, 12].map(ended)).toEqual([false, false, false, true, true]);
  expect(isExhausted({ tries: 9, since: START, until: START }, new Date(START.getTime() + 3_600_000))).toBe(
    false,
  );
});

test('what is costly is tried four times, hours apart', () => {
  const first = addFailure(undefined, START, true);
  expect(first.until.getTime() - START.getTime()).toBe(6 * 3_600_000);
  expect(isExhausted({ ...first, tries: 3 }, START, true)).toBe(false);
  expect(isExhausted({ ...first, tries: 4 }, START, true)).toBe(true);
});
