/**
 * Headers that say where a message comes from, for statistics and for programs that answer mail automatically.
 * - `Feedback-ID`, as Gmail's Postmaster Tools read it: up to three names to count by, then one of 5 to 15 characters
 * that is the same in all mail of the sender. Gmail counts only what a signature of the sender's own domain covers.
 * - `Auto-Submitted: auto-generated` (RFC 3834, section 5) on transactional mail: no person wrote it, so out-of-office
 * replies should not come back. Promotional mail is written by a person for many. Its list fields keep such replies
 * away, and its readers' own answers are welcome.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { ClaimedSend } from './claimed-send.js';

/** The product's name as a sender. */
const SENDER = 'waypost';
/** What is valid between the colons: no colon, no space, and short enough for one line. */
const COUNTABLE = /^[\w.-]{1,64}$/;

/** @returns the fields with their values. */
export function originHeaders(
  { sourceId, templateSlug, contentType }: Pick<ClaimedSend, 'sourceId' | 'templateSlug' | 'contentType'>,
  { workspaceId }: WorkspaceScope,
): (readonly [name: string, value: string])[] {
  // Mail without a flow or campaign is counted by its template.
  const source = sourceId ?? (COUNTABLE.test(templateSlug) ? templateSlug : '');
  const feedback = ['Feedback-ID', [source, contentType, workspaceId, SENDER].join(':')] as const;
  return contentType === 'transactional' ? [feedback, ['Auto-Submitted', 'auto-generated']] : [feedback];
}
