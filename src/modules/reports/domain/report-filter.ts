/** Which reports a list shows, section 4.4, and in which order. */
import { cursorOf, KEY, placeOf, type Place } from '../../../kernel/place.js';
import type { SortOrder } from '../../../kernel/sort-order.js';
import type { Report, ReportType, Visibility } from './report.js';

export const DEFAULT_LIMIT = 50;
export const LARGEST_LIMIT = 100;

/** All that the viewer sees, what it has made itself, what has a link, what has a schedule. */
export const REPORT_TABS = ['all', 'mine', 'shared', 'scheduled'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

/** An absent member does not filter. */
export interface ReportFilter {
  readonly tab?: ReportTab | undefined;
  readonly reportType?: ReportType | undefined;
  readonly visibility?: Visibility | undefined;
  /** A member's id. */
  readonly createdBy?: string | undefined;
  /** Part of the name or the description, in any letter case. */
  readonly search?: string | undefined;
}

/** What reports are ordered by; what was never viewed counts as viewed before all others. */
export const REPORT_SORTS = ['lastViewedAt', 'updatedAt', 'name', 'createdAt'] as const;
export type ReportSort = (typeof REPORT_SORTS)[number];

export interface ReportOrder {
  readonly sortBy: ReportSort;
  readonly sortDir: SortOrder;
}

export const LAST_VIEWED_FIRST: ReportOrder = { sortBy: 'lastViewedAt', sortDir: 'desc' };

export interface ReportPage {
  readonly limit: number;
  readonly offset: number;
  /** The page begins behind this place. */
  readonly after?: Place | null;
}

/** The list of that order, as its cursors name it. */
const listOf = ({ sortBy, sortDir }: ReportOrder): string => `reports ${sortBy} ${sortDir}`;
/** What was never viewed has no key. */
const isKey = ({ sortBy }: ReportOrder): ((text: string) => boolean) =>
  sortBy === 'name' ? KEY.text : (text) => text === '' || KEY.moment(text);

/** The cursor of a report in a list of that order. */
export function reportCursor(report: Report, order: ReportOrder): string {
  const value = report[order.sortBy];
  const key = typeof value === 'string' ? value : (value?.toISOString() ?? '');
  return cursorOf(listOf(order), { key, id: report.id });
}

/** The place that a cursor names. @throws DomainError invalid_field for what is no cursor of that list. */
export function reportPlace(cursor: string | undefined, order: ReportOrder): Place | null {
  return placeOf(listOf(order), cursor, isKey(order));
}
