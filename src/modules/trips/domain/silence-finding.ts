/** Builds findings, with empty values for what is not given. */
import type { SilenceCheck, SilenceFinding } from './silence-facts.js';

type More = Partial<Omit<SilenceFinding, 'check' | 'isAgainst' | 'reason' | 'detail'>>;

function finding(
  isAgainst: boolean,
  check: SilenceCheck,
  reason: string,
  detail: string,
  more: More,
): SilenceFinding {
  const { at = null, eventId = null, tripId = null, stepPath = null, facts = {} } = more;
  return { check, isAgainst, reason, detail, at, eventId, tripId, stepPath, facts };
}

/** A finding that kept the contact from entering the flow or from receiving mail. */
export function against(
  check: SilenceCheck,
  reason: string,
  detail: string,
  more: More = {},
): SilenceFinding {
  return finding(true, check, reason, detail, more);
}

/** A finding that prevented nothing. */
export function passed(check: SilenceCheck, reason: string, detail: string, more: More = {}): SilenceFinding {
  return finding(false, check, reason, detail, more);
}
