/** How a finding stands (section 4.7): open, unless somebody said something else of it. */
export const MARK_STATUSES = ['snoozed', 'fixed', 'false_positive'] as const;
export type MarkStatus = (typeof MARK_STATUSES)[number];

export const FINDING_STATUSES = ['open', ...MARK_STATUSES] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** What a mark is on: the same finding of every run of the template. */
export interface MarkedFinding {
  readonly templateId: string;
  readonly code: string;
  readonly target: string;
}

/** What somebody said of a finding. */
export interface FindingMark {
  readonly status: MarkStatus;
  /** When it is open again; null but for what is snoozed. */
  readonly snoozedUntil: Date | null;
  readonly reason: string | null;
  readonly markedBy: string;
  readonly markedAt: Date;
}
