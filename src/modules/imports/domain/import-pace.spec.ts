import type { ImportJob } from './import-job.js';
import { paceOf } from './import-pace.js';

const job = (
  status: ImportJob['status'],
  workedMs: number,
  [imported, failed, total, percentComplete]: readonly [number, number, number | null, number],
): ImportJob =>
  ({ status, workedMs, progress: { imported, failed, total, percentComplete } }) as unknown as ImportJob;

test.each([
  ['by what is left', job('running', 10_000, [900, 100, 5_000, 20]), 100, 40],
  ['while it waits for its turn', job('queued', 10_000, [1_000, 0, 1_001, 99.9]), 100, 1],
  ['by the share where the total is not known', job('running', 10_000, [500, 0, null, 25]), 50, 30],
  ['not before anything is done', job('running', 10_000, [0, 0, 5_000, 0]), null, null],
  ['not of one that has ended', job('failed', 3_000, [100, 0, 5_000, 2]), 33.3, null],
  ['never below nothing', job('running', 1_000, [20, 0, 10, 99]), 20, 0],
  ['not without a total or a share', job('running', 1_000, [20, 0, null, 0]), 20, null],
])('the pace is told %s', (_name, given, recordsPerSecond, secondsLeft) => {
  expect(paceOf(given)).toEqual({ recordsPerSecond, secondsLeft });
});
