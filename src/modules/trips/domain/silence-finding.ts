/** Builds findings, with empty values for what is not given. */
import type { SilenceCheck, SilenceFinding } from './silence-inputs.js';

type FindingDetails = Partial<Omit<SilenceFinding, 'check' | 'isAgainst' | 'reason' | 'detail'>>;

function finding(
  isAgainst: boolean,
  check: SilenceCheck,
  reason: string,
  detail: string,
  details: FindingDetails,
): SilenceFinding {
  const { at = null, eventId = null, tripId = null, stepPath = null, facts = {} } = details;
  return { check, isAgainst, reason, detail, at, eventId, tripId, stepPath, facts };
}

/** A finding that kept the contact from entering the flow or from receiving mail. */
export function blocking(
  check: SilenceCheck,
  reason: string,
  detail: string,
  details: FindingDetails = {},
): SilenceFinding {
  return finding(true, check, reason, detail, details);
}

/** A finding that prevented nothing. */
export function passed(
  check: SilenceCheck,
  reason: string,
  detail: string,
  details: FindingDetails = {},
): SilenceFinding {
  return finding(false, check, reason, detail, details);
}
