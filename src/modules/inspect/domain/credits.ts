/** Why credits move (section 8.2): a full run takes one for each version of a template, a failed run gives it back. */
export const CREDIT_REASONS = ['full_run', 'failed_run'] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];
