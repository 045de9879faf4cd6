/** Why a finding was not mended when it was asked for (section 4.7). */
export const SKIP_REASONS = ['other_version', 'not_mechanical', 'overlap'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface SkippedFix {
  readonly findingId: string;
  readonly reason: SkipReason;
}
