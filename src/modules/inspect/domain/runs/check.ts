/** A run is a row of checks; each says what it found, or why it did not look (section 4.7: checks of a job). */
import type { RuleFinding } from '../findings/finding.js';

/** In the order in which they are made. */
export const CHECK_NAMES = ['content', 'links', 'images', 'spam', 'rendering', 'screenshots'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** A check of a job as it is shown; `detail` says why it was skipped or failed, or what was left out. */
export interface CheckRecord {
  readonly name: CheckName;
  readonly status: 'done' | 'skipped' | 'failed';
  readonly detail: string | null;
}

export interface CheckOutcome extends CheckRecord {
  readonly findings: readonly RuleFinding[];
  /** Findings beyond those that one check hands on; none where it is left out. */
  readonly left?: number;
}

/** Checks that were not made, for one reason. */
export function unmade(
  names: readonly CheckName[],
  status: 'skipped' | 'failed',
  detail: string,
): CheckOutcome[] {
  return names.map((name) => ({ name, status, detail, findings: [] }));
}
