/** The filter and order of a report list, section 4.4. */
import {
  encodeCursor,
  KEY,
  decodeCursor,
  type PageCursor,
  type SortOrder,
} from '../../../kernel/page-cursor.js';
import type { Report, ReportType, Visibility } from './report.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

/** All that the viewer can see, the viewer's own, those with a share link, those with a schedule. */
export const REPORT_TABS = ['all', 'mine', 'shared', 'scheduled'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

/** An absent member does not filter. */
export interface ReportFilter {
  readonly tab?: ReportTab | undefined;
  readonly reportType?: ReportType | undefined;
  readonly visibility?: Visibility | undefined;
  /** A member's id. */
  readonly createdBy?: string | undefined;
  /** Part of the name or the description, case-insensitive. */
  readonly search?: string | undefined;
}

/** Sort keys. A report that was never viewed counts as viewed before all others. */
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
  /** The page starts after this position. */
  readonly after?: PageCursor | null;
}

/** The name that the cursors of a list in this order carry. */
const listOf = ({ sortBy, sortDir }: ReportOrder): string => `reports ${sortBy} ${sortDir}`;
/** A report that was never viewed has no key. */
const isKey = ({ sortBy }: ReportOrder): ((text: string) => boolean) =>
  sortBy === 'name' ? KEY.text : (text) => text === '' || KEY.moment(text);

/** Returns the cursor of a report in a list of this order. */
export function encodeReportCursor(report: Report, order: ReportOrder): string {
  const value = report[order.sortBy];
  const key = typeof value === 'string' ? value : (value?.toISOString() ?? '');
  return encodeCursor(listOf(order), { key, id: report.id });
}

/**
 * Returns the position that a cursor encodes. @throws DomainError invalid_field for a cursor that does not belong to
 * the list.
 */
export function decodeReportCursor(cursor: string | undefined, order: ReportOrder): PageCursor | null {
  return decodeCursor(listOf(order), cursor, isKey(order));
}
