/** What a bounce says of the address, by the words of providers and by what the server said. */
import type { Bounce } from '../../delivery/domain/engagement.js';
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

/** What a provider tells of a bounce: words for its kind, a code, what the server said; whatever there is. */
export interface ToldBounce {
  readonly words: readonly string[];
  readonly code: string | null;
  readonly detail: string | null;
}

/**
 * A provider that calls a bounce hard is believed unless the server gave a reason that may pass; one that calls it soft
 * always. Where nothing at all is told a bounce is hard: providers report what may still arrive as a delay.
 */
export function bounceOf({ words, code, detail }: ToldBounce): Bounce {
  const known = words.map((word) => word.toLowerCase().replaceAll(/[\s-]/g, ''));
  const verdict = classifyBounce({ status: code, diagnostic: detail });
  const told = { code: verdict.code, detail };
  if (known.some((word) => SOFT_WORDS.has(word))) return { kind: 'soft', ...told };
  const isHard = known.some((word) => HARD_WORDS.has(word)) || (code === null && detail === null);
  return { kind: isHard && isUndecided(verdict) ? 'hard' : verdict.kind, ...told };
}

function isUndecided({ reason }: BounceVerdict): boolean {
  return reason === 'unknown';
}
