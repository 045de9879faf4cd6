/** The data of feedback as the JSON of its column. */
import type { FeedbackData } from '../domain/feedback.js';

export interface StoredFeedbackData {
  readonly kind: FeedbackData['kind'];
  readonly user_agent: string | null;
  readonly method: string | null;
  /** Missing in rows stored by an earlier release. */
  readonly is_ahead?: boolean;
  readonly link: string | null;
  readonly bounce: FeedbackData['bounce'];
  readonly recipient: string | null;
}

export function storedOf(data: FeedbackData): StoredFeedbackData {
  const { kind, userAgent, method, isPrefetch, link, bounce, recipient } = data;
  return { kind, user_agent: userAgent, method, is_ahead: isPrefetch, link, bounce, recipient };
}

export function recordOf({
  user_agent: userAgent,
  kind,
  method,
  is_ahead: isPrefetch = false,
  link,
  bounce,
  recipient,
}: StoredFeedbackData): FeedbackData {
  return { kind, userAgent, method, isPrefetch, link, bounce, recipient };
}
