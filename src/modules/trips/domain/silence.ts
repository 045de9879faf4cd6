/**
 * Explains why a contact did not enter a flow or received no message: the engine's checks before it starts a trip, in
 * its order, for each event that might have started one, and what happened to the trips that did start.
 */
import type { SilenceInputs, SilenceFinding } from './silence-inputs.js';
import { entryFindings } from './entry-findings.js';
import { tripFindings } from './trip-findings.js';

export interface SilenceExplanation {
  /** The reason of the first finding that kept the contact from entering or from receiving mail; null if none did. */
  readonly reason: string | null;
  readonly detail: string;
  readonly findings: readonly SilenceFinding[];
}

export function explainSilence(inputs: SilenceInputs): SilenceExplanation {
  const [entry, trips] = [entryFindings(inputs), tripFindings(inputs)];
  const findings = [...entry, ...trips];
  // Starts at the latest event: what blocked events before an entry no longer matters.
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
