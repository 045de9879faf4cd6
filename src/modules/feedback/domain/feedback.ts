/** Word of a message, as it is kept from its receipt until it is worked on (section 6.2). */
import { createHash } from 'node:crypto';
import type { Bounce } from '../../delivery/domain/engagement.js';

export const FEEDBACK_KINDS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** What is told of it, without whatever nobody needs. */
export interface FeedbackFacts {
  /** Null of a kind that is not known: it is kept for a time and changes nothing. */
  readonly kind: FeedbackKind | null;
  /** Null where nobody told. */
  readonly userAgent: string | null;
  readonly method: string | null;
  /** Whether it was asked for ahead of a person's wish, as the browser itself says. */
  readonly isAhead: boolean;
  /** Tells the links of a message apart, and says nothing of them. */
  readonly link: string | null;
  readonly bounce: Bounce | null;
  /** To whom the message went; asked about only where the ledger has forgotten it. */
  readonly recipient: string | null;
}

export interface ReceivedFeedback {
  /** Unique among all that comes from the same source: word that is told again is no news. */
  readonly key: string;
  /** As the source calls it, at most LONGEST_TYPE characters. */
  readonly type: string;
  readonly facts: FeedbackFacts;
  /** Real time in milliseconds since 1970, as the source says; undefined means now. */
  readonly happenedAt: number | undefined;
}

export const LONGEST_TYPE = 100;
/** Characters that are kept of what names a program. */
export const LONGEST_AGENT = 500;

export const NOTHING_TOLD: FeedbackFacts = {
  kind: null,
  userAgent: null,
  method: null,
  isAhead: false,
  link: null,
  bounce: null,
  recipient: null,
};

/** What tells the links of a message apart. */
export function linkName(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16);
}
