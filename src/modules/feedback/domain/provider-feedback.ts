/** Converts what a provider reports to feedback as it is stored. */
import type { ProviderEvent } from '../../delivery/domain/provider-event.js';
import { bounceOf } from './bounce-kind.js';
import { EMPTY_FEEDBACK, linkName, type ReceivedFeedback } from './feedback.js';

const NO_DETAILS = { words: [], code: null, detail: null };

export function feedbackOf(event: ProviderEvent): ReceivedFeedback {
  const { key, type, kind, happenedAt, recipient, userAgent, method, link, bounce } = event;
  return {
    key,
    type,
    happenedAt,
    facts: {
      ...EMPTY_FEEDBACK,
      kind,
      recipient,
      ...(kind === 'opened' || kind === 'clicked' ? { userAgent, method } : {}),
      ...(kind === 'clicked' ? { link: linkName(link ?? '') } : {}),
      ...(kind === 'bounced' ? { bounce: bounceOf(bounce ?? NO_DETAILS) } : {}),
    },
  };
}
