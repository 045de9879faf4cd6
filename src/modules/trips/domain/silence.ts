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
  const [entry, trips] = [entryFindings(facts), tripFindings(facts)];
  const findings = [...entry, ...trips];
  // Of the latest event first: what stood against one before an entry has been mended since.
  const entered = entry.findIndex(({ reason }) => reason === 'entered');
  const sinceEntry = entered === -1 ? entry : entry.slice(0, entered);
  const first = [...sinceEntry, ...trips].find(({ isAgainst }) => isAgainst);
  return {
    reason: first?.reason ?? null,
    detail:
      first?.detail ?? 'Nothing prevented it: the contact entered the flow and its messages were processed.',
    findings,
  };
}
