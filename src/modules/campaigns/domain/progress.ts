/** Computes how fast a sending progresses, and when it will complete. */
import { MINUTE, SECOND } from '../../../kernel/duration.js';
import type { CampaignInstance, PaceReading } from './instance.js';
import { sendDelayMs } from './send-moment.js';

/** Time between two progress readings; in product time, as the rate. */
const READING_INTERVAL_MS = 10 * SECOND;

/** Returns the pace updated with a new reading, if enough time has passed since the last one. */
export function paceAt(pace: PaceReading, settled: number, now: Date): PaceReading {
  const { pacedAt, paced } = pace;
  if (pacedAt === null) return { pacedAt: now, paced: settled, perMinute: null };
  const passed = now.getTime() - pacedAt.getTime();
  if (passed < READING_INTERVAL_MS) return pace;
  return { pacedAt: now, paced: settled, perMinute: Math.max(0, ((settled - paced) * MINUTE) / passed) };
}

/**
 * Estimated seconds until the last message; null if unknown: while nothing is sent, while a test runs or the audience
 * is being taken, and if each contact gets the message in its own time zone.
 */
export function secondsLeft(
  { timing, perMinute, isTaken, status, mailed }: CampaignInstance,
  { pending, startMs, now }: { readonly pending: number; readonly startMs: number; readonly now: Date },
): number | null {
  if (pending <= 0) return 0;
  if (!isTaken || status === 'paused' || status === 'ab_testing' || timing.wallClock !== null) return null;
  const lastDelayMs = timing.maxPerHour === null ? 0 : startMs + sendDelayMs(timing, mailed) - now.getTime();
  // While send times lie ahead, the last of them determines the end, not the rate.
  if (lastDelayMs > 0) return Math.ceil(lastDelayMs / SECOND);
  return perMinute === null || perMinute === 0 ? null : Math.ceil((pending * 60) / perMinute);
}
