/**
 * What a job has asked of its platform, in this process: whatever a platform answers, there is an end to it. How long the
 * platform wants to be left alone, and how often it failed in a row, are kept here too, so that they outlive the job's turns.
 */
import { SourceFailure } from './import-source.js';

/** Of one job: requests, their repetitions too. */
const MOST_REQUESTS = 1_000_000;
/** Of one job: downloads that were there. */
const MOST_DOWNLOADS = 100;
/** Of one job: bytes of answers and downloads, 64 GB. */
const MOST_BYTES = 68_719_476_736;

export class PlatformTally {
  /** Times in a row that the platform asked for a pause. */
  refusals = 0;
  /** Times in a row that it failed; a pause that it asked for in between changes nothing. */
  failures = 0;
  /** Until when it wants to be left alone. */
  heldUntil = new Date(0);
  private requests = 0;
  private downloads = 0;
  private bytes = 0;

  /** @throws SourceFailure platform_unavailable where there is no end. */
  countRequest(): void {
    if (++this.requests > MOST_REQUESTS) throw endless();
  }

  /** @throws SourceFailure platform_unavailable where there is no end. */
  countDownload(): void {
    if (++this.downloads > MOST_DOWNLOADS) throw endless();
  }

  /** @throws SourceFailure platform_unavailable where there is no end. */
  countBytes(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MOST_BYTES) throw endless();
  }
}

function endless(): SourceFailure {
  return new SourceFailure('platform_unavailable', 'The platform returns endless pages.');
}
