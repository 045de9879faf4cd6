/** A named audience of a workspace. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Match } from './filter.js';

export interface NewSegment {
  readonly name: string;
  readonly description: string;
  /** Whether a contact meets all of the conditions, or any. */
  readonly match: Match;
  /** As they were posted; domain/read-filter tells what they mean. */
  readonly conditions: readonly JsonObject[];
}

export interface Segment extends NewSegment {
  readonly id: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A segment with what is known of its members in an environment. */
export interface ListedSegment extends Segment {
  /** Null until the members were looked up for the first time. */
  readonly memberCount: number | null;
  readonly refreshedAt: Date | null;
  /** Why the members could not be looked up the last time; null when they could. */
  readonly refreshError: string | null;
}

/** What a look at a segment finds: how many contacts are in it now, and the newest of them. */
export interface Evaluation {
  readonly count: number;
  /** Ids of contacts, the newest first. */
  readonly sample: readonly string[];
}
