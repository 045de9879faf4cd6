/** A finding of a run: how it is stored, and how it is shown with what was said of it (section 4.7). */
import type { FindingStatus } from './finding-mark.js';
import type { SourceEdit } from './finding.js';
import type { RenderClient } from './render-client.js';
import { ruleOfCode } from './rules/catalogue.js';
import type { FindingCategory, FindingSeverity } from './rules/rule.js';

/** A finding as a run stores it. */
export interface StoredFinding {
  readonly id: string;
  /** A hash of what it points at: with template and code it is what the finding is known by in later runs. */
  readonly target: string;
  readonly code: string;
  readonly category: FindingCategory;
  readonly severity: FindingSeverity;
  readonly message: string;
  /** In the stored body, from 1; null where it has no place there. */
  readonly line: number | null;
  readonly column: number | null;
  readonly snippet: string | null;
  /** The clients concerned; none where all are. */
  readonly clients: readonly RenderClient[];
  /** What would mend it in the version that was examined. */
  readonly edits: readonly SourceEdit[] | null;
}

/** A finding with its run and how it stands at a moment. */
export interface InspectFinding extends StoredFinding {
  readonly jobId: string;
  readonly templateId: string;
  readonly status: FindingStatus;
  readonly snoozedUntil: Date | null;
  readonly reason: string | null;
}

/** Which findings of a run are asked for. */
export interface FindingFilter {
  readonly severity?: FindingSeverity | undefined;
  readonly category?: FindingCategory | undefined;
  readonly code?: string | undefined;
  readonly status?: FindingStatus | undefined;
}

export interface FindingPage {
  readonly findings: readonly InspectFinding[];
  /** Of all that the filter lets through. */
  readonly total: number;
}

/** A few words for the finding; its code where it has no rule any more. */
export function titleOf({ code }: Pick<StoredFinding, 'code'>): string {
  return ruleOfCode(code)?.title ?? code;
}

/** How to mend it; empty where its code has no rule any more. */
export function fixOf({ code }: Pick<StoredFinding, 'code'>): string {
  return ruleOfCode(code)?.fix ?? '';
}
