/**
 * A run is a sequence of checks. Each has findings, or a reason why it was skipped or failed (section 4.7: checks of a
 * job).
 */
import type { RuleFinding } from '../findings/finding.js';

/** In the order in which they run. */
export const CHECK_NAMES = ['content', 'links', 'images', 'spam', 'rendering', 'screenshots'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const CHECK_STATUSES = ['done', 'skipped', 'failed'] as const;

/** A check of a job as it is shown; `detail` says why it was skipped or failed, or what was left out. */
export interface CheckRecord {
  readonly name: CheckName;
  readonly status: (typeof CHECK_STATUSES)[number];
  readonly detail: string | null;
}

export interface CheckOutcome extends CheckRecord {
  readonly findings: readonly RuleFinding[];
  /** The number of findings beyond the limit of one check; 0 if absent. */
  readonly omitted?: number;
}

/** Checks that did not run, all for the same reason. */
export function notRun(
  names: readonly CheckName[],
  status: 'skipped' | 'failed',
  detail: string,
): CheckOutcome[] {
  return names.map((name) => ({ name, status, detail, findings: [] }));
}
