/** The data of feedback as the JSON of its column. */
import type { FeedbackFacts } from '../domain/feedback.js';

export interface StoredFacts {
  readonly kind: FeedbackFacts['kind'];
  readonly user_agent: string | null;
  readonly method: string | null;
  /** Missing in rows stored by an earlier release. */
  readonly is_ahead?: boolean;
  readonly link: string | null;
  readonly bounce: FeedbackFacts['bounce'];
  readonly recipient: string | null;
}

export function storedOf(facts: FeedbackFacts): StoredFacts {
  const { kind, userAgent, method, isAhead, link, bounce, recipient } = facts;
  return { kind, user_agent: userAgent, method, is_ahead: isAhead, link, bounce, recipient };
}

export function recordOf({
  user_agent: userAgent,
  kind,
  method,
  is_ahead: isAhead = false,
  link,
  bounce,
  recipient,
}: StoredFacts): FeedbackFacts {
  return { kind, userAgent, method, isAhead, link, bounce, recipient };
}
