/** A named audience of a workspace. */

export interface SegmentCondition {
  /** Such as `email` or `properties.plan`. */
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

export interface NewSegment {
  readonly name: string;
  /** Whether a contact meets all of the conditions, or any. */
  readonly match: 'all' | 'any';
  readonly conditions: readonly SegmentCondition[];
}

export interface Segment extends NewSegment {
  readonly id: string;
}
