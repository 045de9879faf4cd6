/** Computes how many messages behind an instance's statistics were measured. */
import type { ReportedKinds } from '../../feedback/domain/reported-events.js';
import { addCounts, NOTHING_MEASURED, type MeasuredCounts } from '../../metrics/domain/rates.js';
import { TRACKING_BITS } from '../../tracking/domain/tracking-settings.js';
import type { TrackedCounters } from './campaign-counters.js';

/** @param reported the kinds that a provider reported when the messages were sent. */
export function measuredCounts(
  counters: readonly TrackedCounters[],
  reported: ReportedKinds,
): MeasuredCounts {
  return counters.map((each) => countsOf(each, reported)).reduce(addCounts, NOTHING_MEASURED);
}

function countsOf(
  { tracked, sent, bounced, opened, clicked }: TrackedCounters,
  reported: ReportedKinds,
): MeasuredCounts {
  const opens = Number(reported.opened || (tracked & TRACKING_BITS.opens) !== 0);
  const clicks = Number(reported.clicked || (tracked & TRACKING_BITS.clicks) !== 0);
  const arrived = sent - bounced;
  return {
    deliveriesOf: reported.delivered ? sent : 0,
    opensOf: opens * arrived,
    opensIn: opens * opened,
    clicksOf: clicks * arrived,
    clicksIn: clicks * clicked,
    bothOf: opens * clicks * opened,
    bothIn: opens * clicks * clicked,
  };
}
