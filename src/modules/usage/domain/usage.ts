/** How much of a plan is used, section 8.2, in which period, and when people are told of it. Pure. */
import { DAY } from '../../../kernel/duration.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { monthOf } from '../../limits/domain/month.js';
import type { LimitType } from '../../limits/domain/plan.js';

/** What grows by itself as a workspace's business does, so that people are told before it is used up. */
export const WATCHED = ['emails', 'events', 'contacts'] as const satisfies readonly LimitType[];
export type Watched = (typeof WATCHED)[number];

/** Percent of a cap at which people are told. */
export const THRESHOLDS = [80, 100] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** Milliseconds for which it is known that people were told: longer than any period. */
export const NOTICES_KEPT = 400 * DAY;

/** A cap and what is used of it. */
export interface UsedLimit {
  readonly limitType: LimitType;
  /** Null for what both environments have together. */
  readonly environment: Environment | null;
  readonly current: number;
  /** Infinity where it is unlimited. */
  readonly maximum: number;
}

/** From when on the monthly caps count, and until when. */
export interface Period {
  readonly start: Date;
  /** The first moment of the next one, but for a renewal before it. */
  readonly end: Date;
}

/**
 * The period of a moment: the calendar month in UTC, from its last renewal on where there was one.
 * @param renewedAt null where there was none.
 */
export function periodOf(now: Date, renewedAt: Date | null): Period {
  const first = new Date(`${monthOf(now)}T00:00:00.000Z`);
  const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
  return { start: renewedAt !== null && renewedAt > first ? renewedAt : first, end };
}

/** Percent of the cap that is used, to two decimals; null where it is unlimited. */
export function percentOf({ current, maximum }: Pick<UsedLimit, 'current' | 'maximum'>): number | null {
  return Number.isFinite(maximum) ? Math.round((current / maximum) * 10_000) / 100 : null;
}

/** The highest threshold that is reached; undefined below all of them. */
export function thresholdOf({
  current,
  maximum,
}: Pick<UsedLimit, 'current' | 'maximum'>): Threshold | undefined {
  return THRESHOLDS.findLast((threshold) => current * 100 >= maximum * threshold);
}
