/** Formats the progress of a migration as one line. */
import type { ImportJob } from '../../modules/imports/domain/import-job.js';
import { paceOf } from '../../modules/imports/domain/import-pace.js';

/** Width of the bar in characters. */
const WIDTH = 24;

const NUMBER = new Intl.NumberFormat('en');

/** For example `[############------------]  50 %  5,000 of 10,000, 12 refused, 2,500 a second, 2 s left`. */
export function progressLine(job: ImportJob): string {
  const { status, progress } = job;
  const { imported, failed, total, percentComplete } = progress;
  const filled = Math.floor((percentComplete / 100) * WIDTH);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`;
  const percent = `${String(Math.floor(percentComplete)).padStart(3)} %`;
  if (status === 'queued' && imported + failed === 0) return `${bar} ${percent}  waiting to start`;
  const { recordsPerSecond, secondsLeft } = paceOf(job);
  const parts = [
    `${NUMBER.format(imported + failed)}${total === null ? ' records' : ` of ${NUMBER.format(total)}`}`,
    ...(failed > 0 ? [`${NUMBER.format(failed)} refused`] : []),
    ...(recordsPerSecond === null ? [] : [`${NUMBER.format(recordsPerSecond)} a second`]),
    ...(secondsLeft === null ? [] : [`${timeOf(secondsLeft)} left`]),
  ];
  return `${bar} ${percent}  ${parts.join(', ')}`;
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
