/** The state of a tenant's sending at a given time: what waits, what leaves, and which recipient domains defer mail. */
import type { ContentType } from '../../../kernel/email-settings.js';

/** Maximum messages of a kind that are counted, those due first. */
export const MAX_COUNTED_MESSAGES = 10_000;

/** How many whole minutes of the send rate are shown. */
export const RATE_MINUTES = 5;

/** Maximum domains shown, those with the most waiting messages first. */
export const MAX_SHOWN_DOMAINS = 20;

export interface SendingQueue {
  readonly contentType: ContentType;
  /** Messages that can go now. */
  readonly due: number;
  /** Messages to be retried later. */
  readonly later: number;
  /** Messages held by a send window, quiet hours, a cap or a throttle. */
  readonly held: number;
  /** Messages that are being sent. */
  readonly sending: number;
  /** Since when the oldest due message could go; null when none is due. */
  readonly oldestDueAt: Date | null;
  /** Whether all were counted: there are no more than MAX_COUNTED_MESSAGES. */
  readonly isComplete: boolean;
}

export interface SentMinute {
  /** The start of the minute. Minutes are counted back from the time of the answer. */
  readonly since: Date;
  readonly messages: number;
}

export interface DeferringDomain {
  readonly domain: string;
  /** Messages to it that wait after a temporary refusal. */
  readonly messages: number;
  /** When the first of them is retried. */
  readonly nextAttemptAt: Date;
}

export interface SendingStatus {
  readonly at: Date;
  readonly queues: readonly SendingQueue[];
  /** Latest minute first. */
  readonly sentByMinute: readonly SentMinute[];
  readonly deferringDomains: readonly DeferringDomain[];
}
