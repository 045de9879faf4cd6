/**
 * Why a contact was not entered into a flow, or not mailed: what the engine asks before it starts a trip, in its order, of
 * each event that might have started one, and what has become of the trips that did start.
 */
import type { SilenceFacts, SilenceFinding } from './silence-facts.js';
import { entryFindings } from './silence-of-entry.js';
import { tripFindings } from './silence-of-trips.js';

export interface SilenceExplanation {
  /** The reason of the first finding that stands against the contact's being entered or mailed; null when none does. */
  readonly reason: string | null;
  readonly detail: string;
  readonly findings: readonly SilenceFinding[];
}

export function explainSilence(facts: SilenceFacts): SilenceExplanation {
  const findings = [...entryFindings(facts), ...tripFindings(facts)];
  // Of the latest event first: what stood against an earlier one may have been mended since.
  const first = findings.find(({ isAgainst }) => isAgainst);
  return {
    reason: first?.reason ?? null,
    detail:
      first?.detail ?? 'Nothing stands against it: the contact was entered, and its messages went their way.',
    findings,
  };
}
