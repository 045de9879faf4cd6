/** Why a finding was not fixed on request (section 4.7). */
export const SKIP_REASONS = ['other_version', 'not_mechanical', 'overlap'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface SkippedFix {
  readonly findingId: string;
  readonly reason: SkipReason;
}
