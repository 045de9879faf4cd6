/** How much of a plan is used, section 8.2, in which period, and at which thresholds members are notified. Pure. */
import { DAY } from '../../../kernel/duration.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { monthOf, type LimitType } from '../../limits/domain/plan.js';

/** Usage that grows with a workspace's business, so that members are warned before it is used up. */
export const ANNOUNCED_LIMITS = ['emails', 'events', 'contacts'] as const satisfies readonly LimitType[];
export type AnnouncedLimit = (typeof ANNOUNCED_LIMITS)[number];

/** Percentages of a cap at which members are notified. */
export const THRESHOLDS = [80, 100] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** Milliseconds for which notices are stored: longer than any period. */
export const NOTICE_RETENTION_MS = 400 * DAY;

/** A cap and its usage. */
export interface UsedLimit {
  readonly limitType: LimitType;
  /** Null for a cap that both environments share. */
  readonly environment: Environment | null;
  readonly current: number;
  /** Infinity if unlimited. */
  readonly maximum: number;
}

/** The period in which the monthly caps count. */
export interface Period {
  readonly start: Date;
  /** The start of the next period, unless a renewal comes first. */
  readonly end: Date;
}

/**
 * The period of a moment: the calendar month in UTC, or from its last renewal if there was one.
 * @param renewedAt null if there was none.
 */
export function periodOf(now: Date, renewedAt: Date | null): Period {
  const first = new Date(`${monthOf(now)}T00:00:00.000Z`);
  const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
  return { start: renewedAt !== null && renewedAt > first ? renewedAt : first, end };
}

/** Used percentage of the cap with two decimals; null if unlimited. */
export function percentOf({ current, maximum }: Pick<UsedLimit, 'current' | 'maximum'>): number | null {
  return Number.isFinite(maximum) ? Math.round((current / maximum) * 10_000) / 100 : null;
}

/** The highest threshold that is reached; undefined if none is. */
export function thresholdOf({
  current,
  maximum,
}: Pick<UsedLimit, 'current' | 'maximum'>): Threshold | undefined {
  return THRESHOLDS.findLast((threshold) => current * 100 >= maximum * threshold);
}
