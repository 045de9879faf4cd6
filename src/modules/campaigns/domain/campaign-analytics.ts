/** A campaign in numbers, campaigns.md "Looking": people, not opens; what machines did is counted apart. */
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
  /** Null where no message was measured. */
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

/** Numbers, and how much of them was measured. */
export interface MeasuredNumbers extends CampaignNumbers, MeasuredCounts {}

/** What an instance has come to. What waits of one that is cancelled is called off already. */
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

/** Several instances as one. */
export function sumOf(all: readonly MeasuredNumbers[]): MeasuredNumbers {
  const names = Object.keys(NOTHING) as (keyof MeasuredNumbers)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, numbers) => sum + numbers[name], 0)]),
  ) as unknown as MeasuredNumbers;
}

/** As everywhere, see metrics/domain/rates. */
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

/** The numbers alone, and how many messages each of them was measured of. */
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
