/** Computes how many messages behind an instance's statistics were measured. */
import type { ReportedKinds } from '../../feedback/domain/reported-events.js';
import { addedCounts, NOTHING_MEASURED, type MeasuredCounts } from '../../metrics/domain/rates.js';
import { TRACKED } from '../../tracking/domain/tracking-settings.js';
import type { TrackedTally } from './campaign-tally.js';

/** @param reported the kinds that a provider reported when the messages were sent. */
export function measuredCounts(tallies: readonly TrackedTally[], reported: ReportedKinds): MeasuredCounts {
  return tallies.map((tally) => countsOf(tally, reported)).reduce(addedCounts, NOTHING_MEASURED);
}

function countsOf(
  { tracked, sent, bounced, opened, clicked }: TrackedTally,
  reported: ReportedKinds,
): MeasuredCounts {
  const opens = Number(reported.opened || (tracked & TRACKED.opens) !== 0);
  const clicks = Number(reported.clicked || (tracked & TRACKED.clicks) !== 0);
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
