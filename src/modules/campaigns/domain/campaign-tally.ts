/** The outcome counters of an instance, in people: how a change of one message changes them. */
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

/** Counter keys for contacts outside the test groups: the contacts that get the winner, and the holdout group. */
export const REST = -1;
export const HOLDOUT = -2;

export const NOTHING_TALLIED = Object.fromEntries(TALLIED.map((name) => [name, 0])) as CampaignTally;

/** The counters of a group that measuring depends on, for messages with the same tracking. */
export interface TrackedTally extends Pick<CampaignTally, 'sent' | 'bounced' | 'opened' | 'clicked'> {
  readonly instanceId: string;
  readonly group: number;
  readonly tracked: number;
}

/** What one contact's message adds to the counters of an instance. */
export interface TallyChange {
  readonly instanceId: string;
  readonly contactId: string;
  /** The tracking that the message carried. */
  readonly tracked: number;
  readonly tally: CampaignTally;
}

/**
 * The change of the counters when a message moves from one status to another; either status may be one that is not
 * counted.
 */
export function tallyOfStatus({ before, status }: Pick<MessageState, 'before' | 'status'>): CampaignTally {
  return difference({ [before]: 1 }, { [status]: 1 });
}

/** The change of the counters when engagement is recorded: each person counts once per kind. */
export function tallyOfEngagement(before: Engagement, after: Engagement): CampaignTally {
  return difference(flagsOf(before), flagsOf(after));
}

export function tallyOfUnsubscription(): CampaignTally {
  return { ...NOTHING_TALLIED, unsubscribed: 1 };
}

/** The change of the counters when a contact of a test converts. */
export function tallyOfConversion(): CampaignTally {
  return { ...NOTHING_TALLIED, conversions: 1 };
}

export function isNothing(tally: CampaignTally): boolean {
  return TALLIED.every((name) => tally[name] === 0);
}

/** What reports count, and the activity of machines, which is counted separately. */
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

/** Messages that wait or are in flight. */
export function pendingOf(mailed: number, tally: CampaignTally): number {
  const { sent, failed, suppressed, cancelled, unknown } = tally;
  return mailed - sent - failed - suppressed - cancelled - unknown;
}
