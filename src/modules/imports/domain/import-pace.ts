/** A job's speed and remaining time, estimated from the work so far. */
import type { ImportJob } from './import-job.js';

export interface ImportPace {
  /** Null before anything is done. */
  readonly recordsPerSecond: number | null;
  /** Whole seconds; null if it cannot be estimated, or if the job has ended. */
  readonly secondsLeft: number | null;
}

/** Waiting for an export or for the next time slice counts as work, since the rest of the job will wait as well. */
export function paceOf({ status, progress, workedMs }: ImportJob): ImportPace {
  const { imported, failed, total, percentComplete } = progress;
  const done = imported + failed;
  if (done === 0 || workedMs <= 0) return { recordsPerSecond: null, secondsLeft: null };
  const seconds = workedMs / 1_000;
  const rate = done / seconds;
  return { recordsPerSecond: Math.round(rate * 10) / 10, secondsLeft: secondsLeft() };

  function secondsLeft(): number | null {
    if (status !== 'running' && status !== 'queued') return null;
    if (total !== null) return Math.ceil(Math.max(0, total - done) / rate);
    return percentComplete > 0 ? Math.ceil((seconds * (100 - percentComplete)) / percentComplete) : null;
  }
}
