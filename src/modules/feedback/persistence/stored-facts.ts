/** What a word tells, as JSON of its column. */
import type { FeedbackFacts } from '../domain/feedback.js';

export interface StoredFacts {
  readonly kind: FeedbackFacts['kind'];
  readonly user_agent: string | null;
  readonly method: string | null;
  readonly link: string | null;
  readonly bounce: FeedbackFacts['bounce'];
  readonly recipient: string | null;
}

export function storedOf({ kind, userAgent, method, link, bounce, recipient }: FeedbackFacts): StoredFacts {
  return { kind, user_agent: userAgent, method, link, bounce, recipient };
}

export function recordOf({
  user_agent: userAgent,
  kind,
  method,
  link,
  bounce,
  recipient,
}: StoredFacts): FeedbackFacts {
  return { kind, userAgent, method, link, bounce, recipient };
}
