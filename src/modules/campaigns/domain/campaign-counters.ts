/** The outcome counters of an instance, in people: how a change of one message changes them. */
import type { MessageState } from '../../delivery/domain/email-log.js';
import { engagementCountsOf, type Engagement } from '../../delivery/domain/engagement.js';
import type { ReportedKinds } from '../../feedback/domain/reported-events.js';
import { addCounts, NOTHING_MEASURED, type MeasuredCounts } from '../../metrics/domain/rates.js';
import { TRACKING_BITS } from '../../tracking/domain/tracking-settings.js';

export const COUNTER_NAMES = [
  'sent',
  'failed',
  'suppressed',
  'cancelled',
  'unknown',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'spamReports',
  'unsubscribed',
  'machineOpened',
  'machineClicked',
  'inTest',
  'conversions',
] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];
export type CampaignCounters = Readonly<Record<CounterName, number>>;

/** Counter keys for contacts outside the test groups: the contacts that get the winner, and the holdout group. */
export const REST_GROUP = -1;
export const HOLDOUT_GROUP = -2;

export const ZERO_COUNTERS = Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as CampaignCounters;

/** The counters of a group that measuring depends on, for messages with the same tracking. */
export interface TrackedCounters extends Pick<CampaignCounters, 'sent' | 'bounced' | 'opened' | 'clicked'> {
  readonly instanceId: string;
  readonly group: number;
  readonly tracked: number;
}

/** What one contact's message adds to the counters of an instance. */
export interface CounterDelta {
  readonly instanceId: string;
  readonly contactId: string;
  /** The tracking that the message carried. */
  readonly tracked: number;
  readonly deltas: CampaignCounters;
}

/**
 * The change of the counters when a message moves from one status to another; either status may be one that is not
 * counted.
 */
export function deltasOfStatus({
  before,
  status,
}: Pick<MessageState, 'before' | 'status'>): CampaignCounters {
  return difference({ [before]: 1 }, { [status]: 1 });
}

/** The change of the counters when engagement is recorded: each person counts once per kind. */
export function deltasOfEngagement(before: Engagement, after: Engagement): CampaignCounters {
  return difference(flagsOf(before), flagsOf(after));
}

export function deltasOfUnsubscribe(): CampaignCounters {
  return { ...ZERO_COUNTERS, unsubscribed: 1 };
}

/** The change of the counters when a contact of a test converts. */
export function deltasOfConversion(): CampaignCounters {
  return { ...ZERO_COUNTERS, conversions: 1 };
}

export function isZero(counters: CampaignCounters): boolean {
  return COUNTER_NAMES.every((name) => counters[name] === 0);
}

/** What reports count, and the activity of machines, which is counted separately. */
function flagsOf(known: Engagement): Partial<Record<CounterName, number>> {
  const { delivered, opened, clicked, bounced, complained: spamReports } = engagementCountsOf(known);
  const machineOpened = Number(known.machineOpens > 0);
  const machineClicked = Number(known.machineClicks > 0);
  return { delivered, opened, clicked, bounced, spamReports, machineOpened, machineClicked };
}

function difference(
  before: Readonly<Partial<Record<string, number>>>,
  after: Readonly<Partial<Record<string, number>>>,
): CampaignCounters {
  return Object.fromEntries(
    COUNTER_NAMES.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
  ) as CampaignCounters;
}

/** Messages that wait or are in flight. */
export function pendingOf(mailed: number, counters: CampaignCounters): number {
  const { sent, failed, suppressed, cancelled, unknown } = counters;
  return mailed - sent - failed - suppressed - cancelled - unknown;
}

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
