/** How fast a sending gets on, and when it will be over. */
import { MINUTE, SECOND } from '../../../kernel/duration.js';
import type { CampaignInstance, Pace } from './instance.js';
import { turnOf } from './send-moment.js';

/** Between two readings of how far it is; in the product's time, as the rate. */
const READING = 10 * SECOND;

/** The pace with what is known now, once that is some time after the last reading. */
export function paceAt(pace: Pace, settled: number, now: Date): Pace {
  const { pacedAt, paced } = pace;
  if (pacedAt === null) return { pacedAt: now, paced: settled, perMinute: null };
  const passed = now.getTime() - pacedAt.getTime();
  if (passed < READING) return pace;
  return { pacedAt: now, paced: settled, perMinute: Math.max(0, ((settled - paced) * MINUTE) / passed) };
}

/**
 * Seconds until the last message, as it looks now; null where nobody can say: while nothing goes, while a test runs or the audience
 * is taken, and where each has it by the clocks of its own zone.
 */
export function secondsLeft(
  { timing, perMinute, isTaken, status, mailed }: CampaignInstance,
  { pending, began, now }: { readonly pending: number; readonly began: number; readonly now: Date },
): number | null {
  if (pending <= 0) return 0;
  if (!isTaken || status === 'paused' || status === 'ab_testing' || timing.wallClock !== null) return null;
  const lastTurn = timing.maxPerHour === null ? 0 : began + turnOf(timing, mailed) - now.getTime();
  // As long as turns are to come, they and no rate say when it is over.
  if (lastTurn > 0) return Math.ceil(lastTurn / SECOND);
  return perMinute === null || perMinute === 0 ? null : Math.ceil((pending * 60) / perMinute);
}
