/** Work that was taken out of its queue, since repeating it does not mend what fails. People see it and put it back. */

import type { Permission } from '../../access/domain/permission.js';

/**
 * The kinds of work, one for each queue of rows, and what a member needs to see work of a kind and to put it back: as
 * much as to do the same by other ways.
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

/** Why work was set aside; a text for each that says nothing of the work's contents. */
export const SET_ASIDE_REASONS = {
  value_too_large: 'It exceeds the size limit.',
  value_refused: 'The database rejects one of its values.',
  value_conflicts: 'It conflicts with existing data.',
  took_too_long: 'It exceeded the time limit.',
  refused_by_rules: 'It was stored under earlier rules and violates the current ones.',
  kept_failing: 'It failed repeatedly over a long time.',
  worker_died: 'The process that worked on it crashed repeatedly.',
  product_fault: 'It failed because of a bug in Waypost.',
} as const;
export type SetAsideCode = keyof typeof SET_ASIDE_REASONS;

export interface SetAsideWork {
  readonly id: string;
  readonly kind: WorkKind;
  /** The row that was set aside: an event, a trip, a message, a contact, a segment, a domain, a mail of the product's own, a report that is mailed. */
  readonly subjectId: string;
  readonly code: SetAsideCode;
  readonly at: Date;
}
