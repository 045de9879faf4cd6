/** How much of what an instance has come to was measured. */
import type { Told } from '../../feedback/domain/told-days.js';
import { addedCounts, NOTHING_MEASURED, type MeasuredCounts } from '../../metrics/domain/rates.js';
import { TRACKED } from '../../tracking/domain/tracking-settings.js';
import type { TrackedTally } from './campaign-tally.js';

/** @param told what a provider told when the messages were sent. */
export function measuredCounts(tallies: readonly TrackedTally[], told: Told): MeasuredCounts {
  return tallies.map((tally) => countsOf(tally, told)).reduce(addedCounts, NOTHING_MEASURED);
}

function countsOf({ tracked, sent, bounced, opened, clicked }: TrackedTally, told: Told): MeasuredCounts {
  const opens = Number(told.opened || (tracked & TRACKED.opens) !== 0);
  const clicks = Number(told.clicked || (tracked & TRACKED.clicks) !== 0);
  const arrived = sent - bounced;
  return {
    deliveriesOf: told.delivered ? sent : 0,
    opensOf: opens * arrived,
    opensIn: opens * opened,
    clicksOf: clicks * arrived,
    clicksIn: clicks * clicked,
    bothOf: opens * clicks * opened,
    bothIn: opens * clicks * clicked,
  };
}
