/** Which flows a list shows, section 4.2. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { Flow, FlowStatus } from './flow.js';
import type { Place } from '../../../kernel/place.js';

export const DEFAULT_LIMIT = 50;
export const LARGEST_LIMIT = 200;

/** An absent member does not filter. Bounds in time are inclusive. */
export interface FlowFilter {
  /** Part of the name, in any letter case. */
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
  /** The page begins behind this place. */
  readonly after?: Place | null;
}

/** What a flow's trips in the caller's environment came to. */
export interface TripFigures {
  readonly tripsStarted: number;
  readonly tripsCompleted: number;
}

export type ListedFlow = Flow & TripFigures;

/** Flows by status, as far as the other filters let them through. Archived ones are not in `all`. */
export interface FlowCounts {
  readonly all: number;
  readonly active: number;
  readonly paused: number;
  readonly draft: number;
  readonly stopped: number;
}
