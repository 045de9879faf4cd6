/** How a tenant's sending stands at a moment: what waits, what goes out, and whose mail servers put it off. */
import type { ContentType } from '../../../kernel/email-settings.js';

/** Messages of a kind that are looked at; of more, those that are due first. */
export const MOST_LOOKED_AT = 10_000;

/** Whole minutes of which it is told how much went out. */
export const RATE_MINUTES = 5;

/** Domains that are told of, those first that most messages wait for. */
export const MOST_DOMAINS = 20;

export interface SendingQueue {
  readonly contentType: ContentType;
  /** Messages that may go now. */
  readonly due: number;
  /** Those that are tried again later. */
  readonly later: number;
  /** Those that a window, hours of rest, a cap or a throttle holds back. */
  readonly held: number;
  /** Those that are being sent. */
  readonly sending: number;
  /** Since when the first of those that are due may go; null when none is. */
  readonly oldestDueAt: Date | null;
  /** Whether all were counted: there are no more than MOST_LOOKED_AT. */
  readonly isComplete: boolean;
}

export interface SentMinute {
  /** Where the minute begins: minutes are counted back from the moment of the answer. */
  readonly since: Date;
  readonly messages: number;
}

export interface DeferringDomain {
  readonly domain: string;
  /** Messages to it that wait after a refusal for now. */
  readonly messages: number;
  /** When the first of them is tried again. */
  readonly nextAttemptAt: Date;
}

export interface SendingStatus {
  readonly at: Date;
  readonly queues: readonly SendingQueue[];
  /** The latest minute first. */
  readonly sentByMinute: readonly SentMinute[];
  readonly deferringDomains: readonly DeferringDomain[];
}
