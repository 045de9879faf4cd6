/** Decides whether a bounce that a provider reports is hard. */
import type { Bounce } from '../../delivery/domain/engagement.js';
import type { ReportedBounce } from '../../delivery/domain/provider-event.js';
import { classifyBounce, type BounceVerdict } from './bounces/classify-bounce.js';

const HARD_WORDS = new Set(['hard', 'permanent', 'permanent_failure', 'hardbounce']);
const SOFT_WORDS = new Set([
  'soft',
  'transient',
  'temporary',
  'undetermined',
  'block',
  'blocked',
  'softbounce',
  'mailboxfull',
  'messagetoolarge',
  'contentrejected',
  'attachmentrejected',
]);

/**
 * The provider's word counts, but it is hard only if the server's reply gives no soft reason. An event without any
 * detail is hard: providers report a message that may still arrive as delayed.
 */
export function bounceOf({ words, code, detail }: ReportedBounce): Bounce {
  const known = words.map((word) => word.toLowerCase().replaceAll(/[\s-]/g, ''));
  const verdict = classifyBounce({ status: code, diagnostic: detail });
  const details = { code: verdict.code, detail };
  if (known.some((word) => SOFT_WORDS.has(word))) return { kind: 'soft', ...details };
  const isHard = known.some((word) => HARD_WORDS.has(word)) || (code === null && detail === null);
  return { kind: isHard && isUndecided(verdict) ? 'hard' : verdict.kind, ...details };
}

function isUndecided({ reason }: BounceVerdict): boolean {
  return reason === 'unknown';
}
