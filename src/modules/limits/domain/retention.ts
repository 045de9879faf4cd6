/**
 * For how long events are kept, section 8.2: for the days of the plan, and for thirty days after a plan has changed for as
 * long as the one before had them kept, so that whoever pays late, or thinks better of it, has lost nothing.
 */
import { DAY } from '../../../kernel/duration.js';
import { planOf } from './plan.js';

/** Days for which former plans hold. */
export const GRACE_DAYS = 30;

export interface KeptPlans {
  readonly plan: string;
  /** Plans of the last changes that lie within the days of grace of each other. */
  readonly formerPlans: readonly string[];
  /** When the plan changed last; null where it never did. */
  readonly planChangedAt: Date | null;
}

/** The moment up to which what was received is deleted now; undefined where nothing is. */
export function deletedUntil({ plan, formerPlans, planChangedAt }: KeptPlans, now: Date): Date | undefined {
  const isInGrace = planChangedAt !== null && now.getTime() < planChangedAt.getTime() + GRACE_DAYS * DAY;
  const days = Math.max(
    ...[plan, ...(isInGrace ? formerPlans : [])].map((name) => planOf(name).retentionDays),
  );
  return Number.isFinite(days) ? new Date(now.getTime() - days * DAY) : undefined;
}
