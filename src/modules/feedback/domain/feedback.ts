/** Feedback about a message, as stored between its receipt and its processing (section 6.2). */
import { createHash } from 'node:crypto';
import type { Bounce, EngagementReport } from '../../delivery/domain/engagement.js';

export type FeedbackKind = EngagementReport['kind'];

/** The stored data of feedback, without anything that is not needed. */
export interface FeedbackData {
  /** Null for an unknown kind, which is retained for a time and changes nothing. */
  readonly kind: FeedbackKind | null;
  /** Null if unknown. */
  readonly userAgent: string | null;
  readonly method: string | null;
  /** Whether it is a prefetch without a person's action, as the browser itself says. */
  readonly isPrefetch: boolean;
  /** Identifies the link within its message without revealing it. */
  readonly link: string | null;
  readonly bounce: Bounce | null;
  /** The recipient of the message; used only if the ledger no longer has it. */
  readonly recipient: string | null;
}

export interface ReceivedFeedback {
  /** Unique among all feedback of the same source; repeated feedback is a duplicate. */
  readonly key: string;
  /** The source's name for it, at most 100 characters. */
  readonly type: string;
  readonly facts: FeedbackData;
  /** Real time in milliseconds since 1970, by the source's clock; undefined means now. */
  readonly happenedAt: number | undefined;
}

export const EMPTY_FEEDBACK: FeedbackData = {
  kind: null,
  userAgent: null,
  method: null,
  isPrefetch: false,
  link: null,
  bounce: null,
  recipient: null,
};

/** The identifier of a link within its message. */
export function linkName(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16);
}
