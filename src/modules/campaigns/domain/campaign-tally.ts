/** What became of an instance's messages, in people: how a change of one message changes the numbers. */
import type { MessageState } from '../../delivery/domain/email-log.js';
import { figuresOf, type Engagement } from '../../delivery/domain/engagement.js';

export const TALLIED = [
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
export type Tallied = (typeof TALLIED)[number];
export type CampaignTally = Readonly<Record<Tallied, number>>;

/** Where those are counted who are not of a test's variants: who gets the winner, and who gets nothing. */
export const REST = -1;
export const HOLDOUT = -2;

export const NOTHING_TALLIED = Object.fromEntries(TALLIED.map((name) => [name, 0])) as CampaignTally;

/** As much of the numbers of a group as measuring depends on, of messages that bore the same to be tracked by. */
export interface TrackedTally extends Pick<CampaignTally, 'sent' | 'bounced' | 'opened' | 'clicked'> {
  readonly instanceId: string;
  readonly group: number;
  readonly tracked: number;
}

/** What is to be added to the numbers of an instance because of one contact's message. */
export interface TallyChange {
  readonly instanceId: string;
  readonly contactId: string;
  /** What the message bore to be tracked by. */
  readonly tracked: number;
  readonly tally: CampaignTally;
}

/** The step of a message from one status to another; both may be such as are not counted. */
export function tallyOfStatus({ before, status }: Pick<MessageState, 'before' | 'status'>): CampaignTally {
  return difference({ [before]: 1 }, { [status]: 1 });
}

/** What is heard of a message: each person counts once for each kind. */
export function tallyOfEngagement(before: Engagement, after: Engagement): CampaignTally {
  return difference(flagsOf(before), flagsOf(after));
}

export function tallyOfUnsubscription(): CampaignTally {
  return { ...NOTHING_TALLIED, unsubscribed: 1 };
}

/** Somebody of a test has done what it counts by. */
export function tallyOfConversion(): CampaignTally {
  return { ...NOTHING_TALLIED, conversions: 1 };
}

export function isNothing(tally: CampaignTally): boolean {
  return TALLIED.every((name) => tally[name] === 0);
}

/** What reports count, and what machines did beside it. */
function flagsOf(known: Engagement): Partial<Record<Tallied, number>> {
  const { delivered, opened, clicked, bounced, complained: spamReports } = figuresOf(known);
  const machineOpened = Number(known.machineOpens > 0);
  const machineClicked = Number(known.machineClicks > 0);
  return { delivered, opened, clicked, bounced, spamReports, machineOpened, machineClicked };
}

function difference(
  before: Readonly<Partial<Record<string, number>>>,
  after: Readonly<Partial<Record<string, number>>>,
): CampaignTally {
  return Object.fromEntries(
    TALLIED.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
  ) as CampaignTally;
}

/** Messages that wait, or are under way. */
export function pendingOf(mailed: number, tally: CampaignTally): number {
  const { sent, failed, suppressed, cancelled, unknown } = tally;
  return mailed - sent - failed - suppressed - cancelled - unknown;
}
