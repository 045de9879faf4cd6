/** What word of a message comes to: whether it counts, as what, and what follows for the address. */
import type { EmailLog } from '../../delivery/domain/email-log.js';
import type { Bounce, Engagement, Word } from '../../delivery/domain/engagement.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { FeedbackFacts } from './feedback.js';
import { isMachineMade } from './machine-made.js';

/**
 * How a message stands that word has come of: it is known to have left; word proves that it has; its attempt has not
 * ended, so that word comes too early; or it never left, and word is about something else.
 */
export type Standing = 'sent' | 'unproven' | 'under_way' | 'never_left';

export function standingOf({ status, reissues }: Pick<EmailLog, 'status' | 'reissues'>): Standing {
  if (status === 'sent') return 'sent';
  if (status === 'unknown' || (status === 'queued' && reissues > 0)) return 'unproven';
  return status === 'sending' ? 'under_way' : 'never_left';
}

/** A bounce of which nothing more is told. */
const BOUNCED: Bounce = { kind: 'hard', code: null, detail: null };

/**
 * The word as it counts; undefined of a kind that is not known. Nothing happened to a message before it left. What servers
 * say names people: of a message whose person was erased nothing of it is kept.
 */
export function wordOf(
  { facts, happenedAt }: { readonly facts: FeedbackFacts; readonly happenedAt: Date },
  { sentAt, createdAt, toEmail }: Pick<EmailLog, 'sentAt' | 'createdAt' | 'toEmail'>,
): Word | undefined {
  const left = sentAt ?? createdAt;
  const at = happenedAt < left ? left : happenedAt;
  const { kind, link, bounce } = facts;
  const sinceSent = happenedAt < left ? null : happenedAt.getTime() - left.getTime();
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
      return { kind, at, bounce: { ...(bounce ?? BOUNCED), ...(toEmail === null ? { detail: null } : {}) } };
  }
}

export interface WhySuppressed {
  readonly reason: SuppressionReason;
  readonly since: Date;
  readonly note: string | null;
}

/**
 * Why an address takes no mail any more by what has newly become of a message to it; undefined where it does.
 * @param isDeadBySoftBounces whether this soft bounce is one too many.
 */
export function suppressionOf(
  before: Engagement,
  after: Engagement,
  isDeadBySoftBounces: boolean,
): WhySuppressed | undefined {
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
