/** Interprets feedback about a message: whether and how it counts, and what follows for the address. */
import type { EmailLog } from '../../delivery/domain/email-log.js';
import type { Bounce, Engagement, EngagementReport } from '../../delivery/domain/engagement.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { FeedbackData } from './feedback.js';
import { isMachineMade } from './machine-made.js';

/**
 * The state of a message that has feedback: it is known to have been sent; the feedback proves that it was; its
 * attempt has not ended, so the feedback is early; or it was never sent, and the feedback is about something else.
 */
export type SentState = 'sent' | 'unproven' | 'under_way' | 'never_left';

export function sentStateOf({ status, reissues }: Pick<EmailLog, 'status' | 'reissues'>): SentState {
  if (status === 'sent') return 'sent';
  if (status === 'unknown' || (status === 'queued' && reissues > 0)) return 'unproven';
  return status === 'sending' ? 'under_way' : 'never_left';
}

/** A bounce without further details. */
const UNEXPLAINED_BOUNCE: Bounce = { kind: 'hard', code: null, detail: null };

/**
 * Interprets feedback; undefined for an unknown kind. Nothing can happen to a message before it was sent. Servers'
 * replies contain personal data: for a message whose person was erased, none of the reply is stored.
 */
export function interpretFeedback(
  { facts, happenedAt }: { readonly facts: FeedbackData; readonly happenedAt: Date },
  { sentAt, createdAt, toEmail }: Pick<EmailLog, 'sentAt' | 'createdAt' | 'toEmail'>,
): EngagementReport | undefined {
  const sentSince = sentAt ?? createdAt;
  const at = happenedAt < sentSince ? sentSince : happenedAt;
  const { kind, link, bounce } = facts;
  const sinceSent = happenedAt < sentSince ? null : happenedAt.getTime() - sentSince.getTime();
  switch (kind) {
    case null:
      return undefined;
    case 'sent':
    case 'delivered':
    case 'complained':
      return { kind, at };
    case 'opened':
      return { kind, at, isMachine: isMachineMade({ ...facts, kind, sinceSent }) };
    case 'clicked':
      return { kind, at, isMachine: isMachineMade({ ...facts, kind, sinceSent }), link: link ?? '' };
    case 'bounced':
      return {
        kind,
        at,
        bounce: { ...(bounce ?? UNEXPLAINED_BOUNCE), ...(toEmail === null ? { detail: null } : {}) },
      };
  }
}

export interface SuppressionCause {
  readonly reason: SuppressionReason;
  readonly since: Date;
  readonly note: string | null;
}

/**
 * The reason to suppress an address after the new feedback on a message to it; undefined if there is none.
 * @param isDeadBySoftBounces whether this soft bounce is the last of too many.
 */
export function suppressionOf(
  before: Engagement,
  after: Engagement,
  isDeadBySoftBounces: boolean,
): SuppressionCause | undefined {
  if (after.complainedAt !== null && before.complainedAt === null)
    return { reason: 'complaint', since: after.complainedAt, note: null };
  if (after.bouncedAt === null) return undefined;
  if (after.bounceKind === 'hard' && before.bounceKind !== 'hard')
    return { reason: 'hard_bounce', since: after.bouncedAt, note: after.bounceDetail };
  if (isDeadBySoftBounces)
    return {
      reason: 'hard_bounce',
      since: after.bouncedAt,
      note: 'Repeated soft bounces over three days or more.',
    };
  return undefined;
}
