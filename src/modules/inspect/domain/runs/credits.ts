/**
 * The credits of quality analysis (section 8.2): a full run costs one for each version of a template, and a failed run
 * refunds it.
 */
import { monthOf } from '../../../limits/domain/plan.js';

export const CREDIT_REASONS = ['full_run', 'failed_run'] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** A credit that was charged or refunded. */
export interface CreditEntry {
  readonly id: string;
  readonly delta: number;
  readonly reason: CreditReason;
  readonly jobId: string | null;
  readonly templateSlug: string;
  readonly templateVersion: number;
  readonly createdAt: Date;
}

export type NewCreditEntry = Pick<CreditEntry, 'reason' | 'jobId' | 'templateSlug' | 'templateVersion'> & {
  readonly templateId: string;
};

/** The remaining credits of a workspace. */
export interface CreditBalance {
  /** `monthly - used`; null if the plan sets no limit, as is `monthly`. */
  readonly balance: number | null;
  readonly monthly: number | null;
  readonly used: number;
  readonly resetsAt: Date;
}

/**
 * The remaining credits of a plan at a moment.
 * @param cap Infinity for no limit.
 */
export function balanceOf(cap: number, used: number, now: Date): CreditBalance {
  const isLimited = Number.isFinite(cap);
  return {
    balance: isLimited ? cap - used : null,
    monthly: isLimited ? cap : null,
    used,
    resetsAt: nextMonth(now),
  };
}

/** The first moment of the next calendar month in UTC. */
function nextMonth(now: Date): Date {
  const first = new Date(`${monthOf(now)}T00:00:00.000Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return first;
}
