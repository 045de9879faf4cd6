/**
 * The filter of a segment: a tree of groups and conditions. The same filter is compiled to SQL for a whole tenant and
 * decided in memory for one contact; both follow these rules.
 *
 * - Texts are compared case-insensitively, numbers with numbers, booleans with booleans; a text never equals a
 *   number.
 * - A field that is missing or null has no value, and fails every comparison. `not_equals`, `not_contains` and
 *   `not_in` are negations, so such a field passes them.
 */
import type { ExactNumber } from '../../../kernel/exact-number.js';
import type { TEXT_FIELDS } from '../../../kernel/contact-fields.js';

export const MATCHES = ['all', 'any'] as const;
export type Match = (typeof MATCHES)[number];

/** Passes if all, or any, of its conditions pass. A group without conditions matches every contact. */
export interface FilterGroup {
  readonly kind: 'group';
  readonly match: Match;
  readonly conditions: readonly FilterCondition[];
}

export type FilterCondition = FilterGroup | FieldCondition | TagCondition | EventCondition | SegmentCondition;

export type TextField = (typeof TEXT_FIELDS)[number];

export const MOMENT_FIELDS = ['createdAt', 'updatedAt'] as const;
export type MomentField = (typeof MOMENT_FIELDS)[number];

/**
 * The location of a value: a standard field, or a path into the properties (or into an event's attributes). Keys of a
 * path may contain dots: kernel/key-path.
 */
export type FieldRef =
  | { readonly kind: 'text'; readonly field: TextField }
  | { readonly kind: 'moment'; readonly field: MomentField }
  | { readonly kind: 'json'; readonly path: readonly string[] };

export interface FieldCondition {
  readonly kind: 'field';
  readonly fieldRef: FieldRef;
  readonly test: ValueTest;
}

export type Scalar = string | number | ExactNumber | boolean;

/** A test of one value. */
export type ValueTest =
  | { readonly operator: 'exists' | 'not_exists' }
  | { readonly operator: 'equals' | 'not_equals'; readonly value: Scalar }
  | { readonly operator: 'in' | 'not_in'; readonly values: readonly Scalar[] }
  | {
      readonly operator: 'contains' | 'not_contains' | 'starts_with' | 'ends_with';
      /** In lower case. For a list: whether one of its texts equals it (contains, not_contains). */
      readonly text: string;
    }
  | {
      readonly operator: 'greater_than' | 'greater_than_or_equal' | 'less_than' | 'less_than_or_equal';
      readonly number: number | ExactNumber;
    }
  | MomentTest;

export type MomentTest =
  | { readonly operator: 'before' | 'after'; readonly moment: Date }
  /** A calendar day in UTC. */
  | { readonly operator: 'on'; readonly day: string }
  /** Relative to the time of evaluation; a day is 24 hours. */
  | {
      readonly operator: 'within_last_days' | 'more_than_days_ago' | 'within_next_days';
      readonly days: number;
    };

export interface TagCondition {
  readonly kind: 'tags';
  /** Whether the contact has any, all or none of the tags; tags are compared exactly. */
  readonly quantity: 'any' | 'all' | 'none';
  readonly tags: readonly string[];
}

/** How often the contact has done an event. */
export interface EventCondition {
  readonly kind: 'event';
  readonly eventName: string;
  /** At least 0; `atLeast` 0 with `atMost` 0 means that the event was never done. */
  readonly atLeast: number;
  /** Null: no limit. */
  readonly atMost: number | null;
  /** Only events of the last `withinDays` days; null: all stored events. */
  readonly withinDays: number | null;
  /** Tests of the counted events' attributes; all must pass. */
  readonly where: readonly { readonly path: readonly string[]; readonly test: ValueTest }[];
}

/** Whether the contact is in another segment, by that segment's own filter. */
export interface SegmentCondition {
  readonly kind: 'segment';
  readonly segmentId: string;
  readonly isMember: boolean;
}
