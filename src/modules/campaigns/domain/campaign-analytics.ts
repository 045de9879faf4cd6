/**
 * The statistics of a campaign, campaigns.md "Looking". They count people, not opens; opens and clicks by machines are
 * counted separately.
 */
import { pendingOf, type CampaignTally } from './campaign-tally.js';
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
export interface CampaignNumbers extends Omit<CampaignTally, 'inTest' | 'conversions'> {
  readonly audience: number;
  readonly pending: number;
  readonly skipped: number;
}

/** The statistics, and how many messages were measured. */
export interface MeasuredNumbers extends CampaignNumbers, MeasuredCounts {}

/** The statistics of an instance. Waiting messages of a cancelled instance count as cancelled. */
export function numbersOf(
  { audience, skipped, mailed, status }: Pick<CampaignInstance, 'audience' | 'skipped' | 'mailed' | 'status'>,
  tally: CampaignTally,
  underWay: number,
): CampaignNumbers {
  const { inTest: _inTest, conversions: _conversions, ...known } = tally;
  const waiting = pendingOf(mailed, tally);
  const pending = status === 'cancelled' ? Math.min(waiting, underWay) : waiting;
  return { ...known, audience, skipped, pending, cancelled: tally.cancelled + waiting - pending };
}

/** Adds up several instances. */
export function sumOf(all: readonly MeasuredNumbers[]): MeasuredNumbers {
  const names = Object.keys(NOTHING) as (keyof MeasuredNumbers)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, numbers) => sum + numbers[name], 0)]),
  ) as unknown as MeasuredNumbers;
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
  MeasuredNumbers,
  'sent' | 'bounced' | 'opened' | 'clicked' | 'spamReports' | 'unsubscribed' | keyof MeasuredCounts
>): CampaignRates {
  const counts = { ...measured, sent, bounced, opened, clicked, complained: spamReports, unsubscribed };
  const { complaintRate: spamRate, ...rates } = emailRates(counts);
  return { ...rates, spamRate };
}

const NOTHING: MeasuredNumbers = {
  ...NOTHING_MEASURED,
  ...{ audience: 0, pending: 0, skipped: 0, sent: 0, failed: 0, suppressed: 0, cancelled: 0, unknown: 0 },
  ...{ delivered: 0, opened: 0, clicked: 0, bounced: 0, spamReports: 0, unsubscribed: 0 },
  ...{ machineOpened: 0, machineClicked: 0 },
};

/** Splits the statistics into the plain numbers and the count of messages that each was measured for. */
export function splitNumbers(all: MeasuredNumbers): {
  readonly numbers: CampaignNumbers;
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
    ...numbers
  } = all;
  return { numbers, measured: measuredEmails(all) };
}
