/** Makes findings: what is not said of one is empty. */
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

/** What kept the contact from being entered or mailed. */
export function against(
  check: SilenceCheck,
  reason: string,
  detail: string,
  more: More = {},
): SilenceFinding {
  return finding(true, check, reason, detail, more);
}

/** What stood in nobody's way. */
export function passed(check: SilenceCheck, reason: string, detail: string, more: More = {}): SilenceFinding {
  return finding(false, check, reason, detail, more);
}
