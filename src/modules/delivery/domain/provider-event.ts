/** What an email provider's webhook reports about a message, whatever the provider's format. */
import type { EngagementReport } from './engagement.js';

export interface ProviderEvent {
  /** Unique among the provider's events; a repeated event has the same key. */
  readonly key: string;
  /** The provider's name for it, at most MAX_TYPE_CHARS characters. */
  readonly type: string;
  /** Null for an unknown kind, which changes nothing. */
  readonly kind: EngagementReport['kind'] | null;
  /** Ids that the message may have, most likely first: the provider's, and those of Message-ID fields. */
  readonly candidates: readonly string[];
  /** Real time in milliseconds since 1970; undefined if it is missing or cannot be parsed. */
  readonly happenedAt: number | undefined;
  readonly recipient: string | null;
  /** What opened the message or followed a link, at most MAX_USER_AGENT_CHARS characters. */
  readonly userAgent: string | null;
  /** The HTTP method of an open or a click. */
  readonly method: string | null;
  /** The address of a click. */
  readonly link: string | null;
  /** Only for bounces. */
  readonly bounce: ReportedBounce | null;
}

/** What a provider's event says about a bounce. */
export interface ReportedBounce {
  /** The provider's words for its kind. */
  readonly words: readonly string[];
  readonly code: string | null;
  readonly detail: string | null;
}

export const MAX_TYPE_CHARS = 100;
/** Characters of a user agent that are stored. */
export const MAX_USER_AGENT_CHARS = 500;
