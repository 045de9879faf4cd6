/**
 * What a segment asks of a contact: a tree of groups and conditions. The same filter is compiled to SQL for a whole
 * tenant and decided in memory for one contact; both mean what is written here.
 *
 * - Texts are compared without regard to case, numbers with numbers, truth values with truth values; a text is never
 *   equal to a number.
 * - A field that is missing or null has no value: no comparison holds for it. `not_equals`, `not_contains` and `not_in`
 *   are the contrary of theirs, so they hold for it.
 */
import type { ExactNumber } from '../../../kernel/exact-number.js';
import type { TEXT_FIELDS } from '../../../kernel/contact-fields.js';

export const MATCHES = ['all', 'any'] as const;
export type Match = (typeof MATCHES)[number];

/** Holds when all, or any, of its conditions hold. A group without conditions holds for everybody. */
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
 * Where a value is: a standard field, or a path into the properties (or into an event's attributes). The keys of a path
 * may have dots themselves: kernel/key-path.
 */
export type FieldPlace =
  | { readonly kind: 'text'; readonly field: TextField }
  | { readonly kind: 'moment'; readonly field: MomentField }
  | { readonly kind: 'json'; readonly path: readonly string[] };

export interface FieldCondition {
  readonly kind: 'field';
  readonly place: FieldPlace;
  readonly test: ValueTest;
}

export type Scalar = string | number | ExactNumber | boolean;

/** What is asked of one value. */
export type ValueTest =
  | { readonly operator: 'exists' | 'not_exists' }
  | { readonly operator: 'equals' | 'not_equals'; readonly value: Scalar }
  | { readonly operator: 'in' | 'not_in'; readonly values: readonly Scalar[] }
  | {
      readonly operator: 'contains' | 'not_contains' | 'starts_with' | 'ends_with';
      /** In lower case. Of a list, whether one of its texts equals it (contains, not_contains). */
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
  /** Relative to the moment of asking; a day is 24 hours. */
  | {
      readonly operator: 'within_last_days' | 'more_than_days_ago' | 'within_next_days';
      readonly days: number;
    };

export interface TagCondition {
  readonly kind: 'tags';
  /** Whether the contact has any, all or none of the tags; tags are compared to the letter. */
  readonly quantity: 'any' | 'all' | 'none';
  readonly tags: readonly string[];
}

/** How often the contact has done an event. */
export interface EventCondition {
  readonly kind: 'event';
  readonly eventName: string;
  /** At least 0; with `atLeast` 0 and `atMost` 0 it asks that the event was never done. */
  readonly atLeast: number;
  /** Null: no bound. */
  readonly atMost: number | null;
  /** Only events of the last so many days; null: all that are kept. */
  readonly withinDays: number | null;
  /** What the attributes of the counted events are; all must hold. */
  readonly where: readonly { readonly path: readonly string[]; readonly test: ValueTest }[];
}

/** Whether the contact is in another segment, by that segment's own filter. */
export interface SegmentCondition {
  readonly kind: 'segment';
  readonly segmentId: string;
  readonly isMember: boolean;
}
