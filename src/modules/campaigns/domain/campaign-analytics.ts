/**
 * The statistics of a campaign, campaigns.md "Looking". They count people, not opens; opens and clicks by machines are
 * counted separately.
 */
import { pendingOf, type CampaignCounters } from './campaign-counters.js';
import type { CampaignInstance } from './instance.js';
import {
  emailRates,
  measuredEmails,
  NOTHING_MEASURED,
  type MeasuredCounts,
  type MeasuredEmails,
} from '../../metrics/domain/rates.js';

/** Percentages from 0 to 100, with two decimals. */
export interface CampaignRates {
  /** Null if no message was measured. */
  readonly openRate: number | null;
  readonly clickRate: number | null;
  readonly clickToOpenRate: number | null;
  readonly bounceRate: number;
  readonly spamRate: number;
  readonly unsubscribeRate: number;
}

/** `pending + sent + failed + suppressed + skipped + cancelled + unknown` is the audience. */
export interface CampaignMetrics extends Omit<CampaignCounters, 'inTest' | 'conversions'> {
  readonly audience: number;
  readonly pending: number;
  readonly skipped: number;
}

/** The statistics, and how many messages were measured. */
export interface MeasuredCampaignMetrics extends CampaignMetrics, MeasuredCounts {}

/** The statistics of an instance. Waiting messages of a cancelled instance count as cancelled. */
export function campaignMetrics(
  { audience, skipped, mailed, status }: Pick<CampaignInstance, 'audience' | 'skipped' | 'mailed' | 'status'>,
  counters: CampaignCounters,
  inFlight: number,
): CampaignMetrics {
  const { inTest: _inTest, conversions: _conversions, ...known } = counters;
  const waiting = pendingOf(mailed, counters);
  const pending = status === 'cancelled' ? Math.min(waiting, inFlight) : waiting;
  return { ...known, audience, skipped, pending, cancelled: counters.cancelled + waiting - pending };
}

/** Adds up several instances. */
export function sumMetrics(all: readonly MeasuredCampaignMetrics[]): MeasuredCampaignMetrics {
  const names = Object.keys(ZERO_METRICS) as (keyof MeasuredCampaignMetrics)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, metrics) => sum + metrics[name], 0)]),
  ) as unknown as MeasuredCampaignMetrics;
}

/** Rates as defined in metrics/domain/rates. */
export function ratesOf({
  sent,
  bounced,
  opened,
  clicked,
  spamReports,
  unsubscribed,
  ...measured
}: Pick<
  MeasuredCampaignMetrics,
  'sent' | 'bounced' | 'opened' | 'clicked' | 'spamReports' | 'unsubscribed' | keyof MeasuredCounts
>): CampaignRates {
  const counts = { ...measured, sent, bounced, opened, clicked, complained: spamReports, unsubscribed };
  const { complaintRate: spamRate, ...rates } = emailRates(counts);
  return { ...rates, spamRate };
}

const ZERO_METRICS: MeasuredCampaignMetrics = {
  ...NOTHING_MEASURED,
  ...{ audience: 0, pending: 0, skipped: 0, sent: 0, failed: 0, suppressed: 0, cancelled: 0, unknown: 0 },
  ...{ delivered: 0, opened: 0, clicked: 0, bounced: 0, spamReports: 0, unsubscribed: 0 },
  ...{ machineOpened: 0, machineClicked: 0 },
};

/** Splits the statistics into the plain numbers and the count of messages that each was measured for. */
export function splitMetrics(all: MeasuredCampaignMetrics): {
  readonly numbers: CampaignMetrics;
  readonly measured: MeasuredEmails;
} {
  const {
    deliveriesOf: _1,
    opensOf: _2,
    opensIn: _3,
    clicksOf: _4,
    clicksIn: _5,
    bothOf: _6,
    bothIn: _7,
    ...metrics
  } = all;
  return { numbers: metrics, measured: measuredEmails(all) };
}
