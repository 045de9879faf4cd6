/** The status of a finding (section 4.7): open, unless a member has marked it. */
export const MARK_STATUSES = ['snoozed', 'fixed', 'false_positive'] as const;
export type MarkStatus = (typeof MARK_STATUSES)[number];

export const FINDING_STATUSES = ['open', ...MARK_STATUSES] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** The subject of a mark: the same finding of every run of the template. */
export interface MarkedFinding {
  readonly templateId: string;
  readonly code: string;
  readonly target: string;
}

/** A member's mark on a finding. */
export interface FindingMark {
  readonly status: MarkStatus;
  /** When it is open again; null unless it is snoozed. */
  readonly snoozedUntil: Date | null;
  readonly reason: string | null;
  readonly markedBy: string;
  readonly markedAt: Date;
}
