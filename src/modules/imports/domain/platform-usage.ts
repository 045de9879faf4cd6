/**
 * Counts a job's requests to its platform in this process and limits them, whatever the platform answers. Also stores
 * how long the platform must not be called and how often it failed in a row, so that this outlives the job's time
 * slices.
 */
import { SourceFailure } from './import-source.js';

/** Maximum number of requests of one job, including retries. */
const MAX_REQUESTS = 1_000_000;
/** Maximum number of successful downloads of one job. */
const MAX_DOWNLOADS = 100;
/** Maximum bytes of answers and downloads of one job, 64 GB. */
const MAX_BYTES = 68_719_476_736;

export class PlatformUsage {
  /** Consecutive times that the platform asked for a pause. */
  rateLimitCount = 0;
  /** Consecutive failures. A pause that it asked for in between does not reset them. */
  failureCount = 0;
  /** Until when the platform must not be called. */
  rateLimitedUntil = new Date(0);
  private requests = 0;
  private downloads = 0;
  private bytes = 0;

  /** @throws SourceFailure platform_unavailable above the limit. */
  countRequest(): void {
    if (++this.requests > MAX_REQUESTS) throw endlessPages();
  }

  /** @throws SourceFailure platform_unavailable above the limit. */
  countDownload(): void {
    if (++this.downloads > MAX_DOWNLOADS) throw endlessPages();
  }

  /** @throws SourceFailure platform_unavailable above the limit. */
  countBytes(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_BYTES) throw endlessPages();
  }
}

function endlessPages(): SourceFailure {
  return new SourceFailure('platform_unavailable', 'The platform returns endless pages.');
}
