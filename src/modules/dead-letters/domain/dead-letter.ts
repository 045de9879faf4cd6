/**
 * Dead letters: work that was taken out of its queue because retrying does not fix its failure. Members see it and
 * requeue it.
 */

import type { Permission } from '../../access/domain/permission.js';

/**
 * The kinds of work, one for each queue of rows, and the permission that a member needs to see work of a kind and to
 * requeue it. It is the permission that the same action needs elsewhere.
 */
export const PERMISSION_OF = {
  event: 'events:write',
  trip: 'flows:write',
  send: 'email_logs:write',
  settled_send: 'email_logs:write',
  segment_touch: 'segments:write',
  segment_refresh: 'segments:write',
  retention: 'events:write',
  domain_check: 'domains:write',
  feedback: 'email_logs:write',
  notice: 'members:write',
  campaign: 'campaigns:write',
  report_schedule: 'members:write',
} as const satisfies Readonly<Record<string, Permission>>;
export type WorkKind = keyof typeof PERMISSION_OF;
export const WORK_KINDS = Object.keys(PERMISSION_OF) as readonly WorkKind[];

/** Why work became a dead letter, with a text for each reason that reveals nothing of the work's contents. */
export const DEAD_LETTER_REASONS = {
  value_too_large: 'It exceeds the size limit.',
  value_refused: 'The database rejects one of its values.',
  value_conflicts: 'It conflicts with existing data.',
  took_too_long: 'It exceeded the time limit.',
  refused_by_rules: 'It was stored under earlier rules and violates the current ones.',
  kept_failing: 'It failed repeatedly over a long time.',
  worker_died: 'The process that worked on it crashed repeatedly.',
  product_fault: 'It failed because of a bug in Waypost.',
} as const;
export type DeadLetterCode = keyof typeof DEAD_LETTER_REASONS;

export interface DeadLetter {
  readonly id: string;
  readonly kind: WorkKind;
  /**
   * The row: an event, a trip, a message, a contact, a segment, a domain, an email from the product itself, or a report
   * email.
   */
  readonly subjectId: string;
  readonly code: DeadLetterCode;
  readonly at: Date;
}
