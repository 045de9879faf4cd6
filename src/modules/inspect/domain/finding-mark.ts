/** How a finding stands (section 4.7): open, unless somebody said something else of it. */
export const MARK_STATUSES = ['snoozed', 'fixed', 'false_positive'] as const;
export type MarkStatus = (typeof MARK_STATUSES)[number];

export const FINDING_STATUSES = ['open', ...MARK_STATUSES] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];
