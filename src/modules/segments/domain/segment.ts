/** A named audience of a workspace. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Match } from './filter.js';

export interface NewSegment {
  readonly name: string;
  readonly description: string;
  /** Whether a contact must meet all of the conditions, or any. */
  readonly match: Match;
  /** As in the request; domain/read-filter defines their meaning. */
  readonly conditions: readonly JsonObject[];
}

export interface Segment extends NewSegment {
  readonly id: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A segment with the state of its members in an environment. */
export interface ListedSegment extends Segment {
  /** Null until the members were computed for the first time. */
  readonly memberCount: number | null;
  readonly refreshedAt: Date | null;
  /** Why the last refresh failed; null if it succeeded. */
  readonly refreshError: string | null;
}

/** Result of an evaluation: how many contacts are in the segment now, and the newest of them. */
export interface Evaluation {
  readonly count: number;
  /** Ids of contacts, newest first. */
  readonly sample: readonly string[];
}
