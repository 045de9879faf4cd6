/**
 * How long events are retained, section 8.2: the days of the plan. For thirty days after a plan change, the retention
 * of the former plans applies if it is longer, so that a late payment or a change of mind loses no data.
 */
import { DAY } from '../../../kernel/duration.js';
import { planOf } from './plan.js';

/** Days for which former plans still apply. */
export const GRACE_DAYS = 30;

export interface RetentionPlans {
  readonly plan: string;
  /** The plans of recent changes that lie within the grace period of each other. */
  readonly formerPlans: readonly string[];
  /** When the plan last changed; null if it never did. */
  readonly planChangedAt: Date | null;
}

/** Events received before this moment are deleted now; undefined if none are. */
export function deletedUntil(
  { plan, formerPlans, planChangedAt }: RetentionPlans,
  now: Date,
): Date | undefined {
  const isInGrace = planChangedAt !== null && now.getTime() < planChangedAt.getTime() + GRACE_DAYS * DAY;
  const days = Math.max(
    ...[plan, ...(isInGrace ? formerPlans : [])].map((name) => planOf(name).retentionDays),
  );
  return Number.isFinite(days) ? new Date(now.getTime() - days * DAY) : undefined;
}
