/**
 * What a message says of where it comes from, to whoever counts and to programs that answer mail.
 *
 * - `Feedback-ID`, as Gmail's Postmaster Tools read it: up to three names to count by, then one of 5 to 15 characters that is
 *   the same in all mail of the sender. Gmail counts only what a signature of the sender's own domain covers.
 * - `Auto-Submitted: auto-generated` (RFC 3834, section 5) on transactional mail: no person has written it, so that nobody's
 *   notice of absence shall come back. Promotional mail is written by a person for many; what keeps such notices
 *   from it are its list fields, and its readers' own answers are welcome.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { ClaimedSend } from './claimed-send.js';

/** Names the product among senders. */
const SENDER = 'waypost';
/** What may stand between the colons: no colon, no blank, and short enough for one line. */
const COUNTABLE = /^[\w.-]{1,64}$/;

/** @returns the fields with their values. */
export function originHeaders(
  { sourceId, templateSlug, contentType }: Pick<ClaimedSend, 'sourceId' | 'templateSlug' | 'contentType'>,
  { workspaceId }: WorkspaceScope,
): (readonly [name: string, value: string])[] {
  // Mail of no flow and no campaign is counted by its template.
  const source = sourceId ?? (COUNTABLE.test(templateSlug) ? templateSlug : '');
  const feedback = ['Feedback-ID', [source, contentType, workspaceId, SENDER].join(':')] as const;
  return contentType === 'transactional' ? [feedback, ['Auto-Submitted', 'auto-generated']] : [feedback];
}
