/** A finding with its run, and how it stands with what was said of it (section 4.7). */
import { cursorOf, KEY, placeOf } from '../../../../kernel/place.js';
import type { FindingStatus } from './finding-mark.js';
import { ruleOfCode } from '../rules/catalogue.js';
import type { FindingCategory, FindingSeverity } from '../rules/rule.js';
import type { StoredFinding } from './stored-finding.js';

export interface InspectFinding extends StoredFinding {
  readonly id: string;
  readonly jobId: string;
  readonly templateId: string;
  /** Its place among the findings of its run: the gravest first. */
  readonly place: number;
  readonly status: FindingStatus;
  readonly snoozedUntil: Date | null;
  readonly reason: string | null;
}

/** What faces tell of a finding. */
export type ToldFinding = Omit<
  InspectFinding,
  'templateId' | 'place' | 'target' | 'edits' | 'isSuggestion' | 'subject'
>;

/** Which findings of a run are asked for. */
export interface FindingFilter {
  readonly severity?: FindingSeverity | undefined;
  readonly category?: FindingCategory | undefined;
  readonly code?: string | undefined;
  readonly status?: FindingStatus | undefined;
}

/** A page that is asked for: by count, or behind a place. */
export interface WantedFindings {
  readonly limit: number;
  readonly offset: number;
  readonly after?: number | null;
}

export interface FindingPage {
  readonly findings: readonly InspectFinding[];
  /** Of all that the filter lets through. */
  readonly total: number;
}

/** Findings that a page of REST shows where no limit is given, and at most. */
export const USUAL_FINDINGS = 50;
export const MOST_FINDINGS_OF_PAGE = 200;

/** A stored finding with the words of its rule; a code that is none any more is its own title. */
export function inWords<Found extends Pick<StoredFinding, 'code'>>(
  found: Found,
): Found & Pick<StoredFinding, 'title' | 'fix'> {
  const { title = found.code, fix = '' } = ruleOfCode(found.code) ?? {};
  return { ...found, title, fix };
}

const LIST = 'inspect_findings';

export function findingCursor({ place, id }: Pick<InspectFinding, 'place' | 'id'>): string {
  return cursorOf(LIST, { key: String(place), id });
}

/** The place that a page follows; null for the first. @throws DomainError invalid_field for what is no cursor of it. */
export function placeAfter(cursor: string | undefined): number | null {
  const place = placeOf(LIST, cursor, KEY.number);
  return place && Number(place.key);
}
