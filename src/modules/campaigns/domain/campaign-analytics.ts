/** A campaign in numbers, campaigns.md "Looking": people, not opens; what machines did is counted apart. */
import { pendingOf, type CampaignTally } from './campaign-tally.js';
import type { CampaignInstance } from './instance.js';
import { emailRates } from '../../metrics/domain/rates.js';

/** Percentages from 0 to 100, with two decimals. */
export interface CampaignRates {
  readonly openRate: number;
  readonly clickRate: number;
  readonly clickToOpenRate: number;
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
export function sumOf(all: readonly CampaignNumbers[]): CampaignNumbers {
  const names = Object.keys(NOTHING) as (keyof CampaignNumbers)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, numbers) => sum + numbers[name], 0)]),
  ) as unknown as CampaignNumbers;
}

/** As everywhere, see metrics/domain/rates. */
export function ratesOf({
  sent,
  bounced,
  opened,
  clicked,
  spamReports,
  unsubscribed,
}: Pick<
  CampaignNumbers,
  'sent' | 'bounced' | 'opened' | 'clicked' | 'spamReports' | 'unsubscribed'
>): CampaignRates {
  const counts = { sent, bounced, opened, clicked, complained: spamReports, unsubscribed };
  const { complaintRate: spamRate, ...rates } = emailRates(counts);
  return { ...rates, spamRate };
}

const NOTHING: CampaignNumbers = {
  ...{ audience: 0, pending: 0, skipped: 0, sent: 0, failed: 0, suppressed: 0, cancelled: 0, unknown: 0 },
  ...{ delivered: 0, opened: 0, clicked: 0, bounced: 0, spamReports: 0, unsubscribed: 0 },
  ...{ machineOpened: 0, machineClicked: 0 },
};
