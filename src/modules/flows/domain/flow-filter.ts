/** Filters and results of the list of flows, section 4.2. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { Flow, FlowStatus } from './flow.js';
import type { PageCursor } from '../../../kernel/page-cursor.js';

export const DEFAULT_LIMIT = 50;
export const MAX_FLOW_LIST_LIMIT = 200;

/** An absent member does not filter. Time bounds are inclusive. */
export interface FlowFilter {
  /** Part of the name, case-insensitive. */
  readonly search?: string | undefined;
  readonly status?: FlowStatus | undefined;
  readonly contentType?: ContentType | undefined;
  readonly tag?: string | undefined;
  readonly segmentId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The page begins after this position. */
  readonly after?: PageCursor | null;
}

/** Counts of a flow's trips in the caller's environment. */
export interface TripTotals {
  readonly tripsStarted: number;
  readonly tripsCompleted: number;
}

export type ListedFlow = Flow & TripTotals;

/** Flows by status, among those that match the other filters. Archived ones are not in `all`. */
export interface FlowCounts {
  readonly all: number;
  readonly active: number;
  readonly paused: number;
  readonly draft: number;
  readonly stopped: number;
}
