/** How much of what an instance has come to was measured. */
import type { Told } from '../../feedback/domain/told-days.js';
import type { MeasuredCounts } from '../../metrics/domain/rates.js';
import { TRACKED } from '../../tracking/domain/tracking-settings.js';
import type { TrackedTally } from './campaign-tally.js';

export const NOTHING_MEASURED: MeasuredCounts = {
  deliveriesOf: 0,
  opensOf: 0,
  opensIn: 0,
  clicksOf: 0,
  clicksIn: 0,
  bothOf: 0,
  bothIn: 0,
};

/** @param told what a provider told when the messages were sent. */
export function measuredCounts(tallies: readonly TrackedTally[], told: Told): MeasuredCounts {
  return tallies.map((tally) => countsOf(tally, told)).reduce(added, NOTHING_MEASURED);
}

function added(one: MeasuredCounts, other: MeasuredCounts): MeasuredCounts {
  const names = Object.keys(NOTHING_MEASURED) as (keyof MeasuredCounts)[];
  return Object.fromEntries(
    names.map((name) => [name, one[name] + other[name]]),
  ) as unknown as MeasuredCounts;
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
