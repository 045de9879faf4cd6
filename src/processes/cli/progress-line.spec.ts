import type { ImportJob } from '../../modules/imports/domain/import-job.js';
import { progressLine } from './progress-line.js';

const job = (
  status: string,
  [imported, failed, total]: readonly [number, number, number | null],
  rest: object,
): ImportJob =>
  ({ status, workedMs: 2_000, progress: { imported, failed, total, ...rest } }) as unknown as ImportJob;

test.each([
  [job('queued', [0, 0, null], { percentComplete: 0 }), `[${'-'.repeat(24)}]   0 %  waiting to start`],
  [
    job('running', [4_990, 10, 10_000], { percentComplete: 50.4 }),
    `[${'#'.repeat(12)}${'-'.repeat(12)}]  50 %  5,000 of 10,000, 10 refused, 2,500 a second, 2 s left`,
  ],
  [
    job('running', [100, 0, null], { percentComplete: 1 }),
    `[${'-'.repeat(24)}]   1 %  100 records, 50 a second, 4 min left`,
  ],
  [
    job('running', [100, 0, 1_000_000], { percentComplete: 0.01 }),
    `[${'-'.repeat(24)}]   0 %  100 of 1,000,000, 50 a second, 5 h 34 min left`,
  ],
  [
    job('completed', [10, 0, 10], { percentComplete: 100 }),
    `[${'#'.repeat(24)}] 100 %  10 of 10, 5 a second`,
  ],
])('%#', (given, line) => expect(progressLine(given)).toBe(line));
