/** A finding with its run, and its status by its mark (section 4.7). */
import { encodeCursor, KEY, decodeCursor } from '../../../../kernel/page-cursor.js';
import type { FindingStatus } from './finding-mark.js';
import { ruleOfCode } from '../rules/catalogue.js';
import type { FindingCategory, FindingSeverity } from '../rules/rule.js';
import type { StoredFinding } from './stored-finding.js';

export interface InspectFinding extends StoredFinding {
  readonly id: string;
  readonly jobId: string;
  readonly templateId: string;
  /** Its position among the findings of its run, most severe first. */
  readonly place: number;
  readonly status: FindingStatus;
  readonly snoozedUntil: Date | null;
  readonly reason: string | null;
}

/** Selects findings of a run. */
export interface FindingFilter {
  readonly severity?: FindingSeverity | undefined;
  readonly category?: FindingCategory | undefined;
  readonly code?: string | undefined;
  readonly status?: FindingStatus | undefined;
}

/** The requested page: a limit, and the position that it follows. */
export interface FindingPageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly after?: number | null;
}

export interface FindingPage {
  readonly findings: readonly InspectFinding[];
  /** The number of findings that match the filter. */
  readonly total: number;
}

/** The default and maximum number of findings on a page of REST. */
export const DEFAULT_FINDINGS_LIMIT = 50;
export const MAX_FINDINGS_LIMIT = 200;

/** A stored finding with the texts of its rule; a code that no longer exists becomes the title. */
export function withRuleTexts<Found extends Pick<StoredFinding, 'code'>>(
  found: Found,
): Found & Pick<StoredFinding, 'title' | 'fix'> {
  const { title = found.code, fix = '' } = ruleOfCode(found.code) ?? {};
  return { ...found, title, fix };
}

const LIST = 'inspect_findings';

export function findingCursor({ place, id }: Pick<InspectFinding, 'place' | 'id'>): string {
  return encodeCursor(LIST, { key: String(place), id });
}

/**
 * The position that a page follows; null for the first page.
 * @throws DomainError invalid_field for an invalid cursor.
 */
export function parseFindingCursor(cursor: string | undefined): number | null {
  const position = decodeCursor(LIST, cursor, KEY.number);
  return position && Number(position.key);
}
