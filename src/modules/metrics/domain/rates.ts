/**
 * How rates are made of counts, once for the whole product: reports, campaigns, flows and goals ask here. Percentages from 0 to
 * 100 with two decimals, 0 where there is nothing to divide by.
 */
import { isUnmeasured, type Measured } from './measured.js';

/** A part of a whole in percent. */
export function percentage(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
}

/** As much of the counts of messages as is of those of which somebody tells. */
export interface MeasuredCounts {
  /** Sent, where deliveries are told of. */
  readonly deliveriesOf: number;
  /** Sent less bounced, and opened, where opens are. */
  readonly opensOf: number;
  readonly opensIn: number;
  /** Sent less bounced, and clicked, where clicks are. */
  readonly clicksOf: number;
  readonly clicksIn: number;
  /** Opened, and clicked, where both are. */
  readonly bothOf: number;
  readonly bothIn: number;
}

export const NOTHING_MEASURED: MeasuredCounts = {
  deliveriesOf: 0,
  opensOf: 0,
  opensIn: 0,
  clicksOf: 0,
  clicksIn: 0,
  bothOf: 0,
  bothIn: 0,
};

/** The sum of two, field by field. */
export function addedCounts<Counts extends MeasuredCounts>(one: Counts, other: Counts): Counts {
  const names = Object.keys(one) as (keyof MeasuredCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Counts;
}

/** Messages, each counted once for each of these however often it happened; machines' opens and clicks are left out. */
export interface EmailCounts extends MeasuredCounts {
  readonly sent: number;
  readonly delivered: number;
  /** A click is an open, whether images were shown or not. */
  readonly opened: number;
  readonly clicked: number;
  /** A soft bounce that a delivery followed is none. */
  readonly bounced: number;
  readonly complained: number;
  readonly unsubscribed: number;
}

export interface EmailRates {
  /** Null where no message was measured. */
  readonly openRate: number | null;
  readonly clickRate: number | null;
  readonly clickToOpenRate: number | null;
  readonly bounceRate: number;
  readonly complaintRate: number;
  readonly unsubscribeRate: number;
}

/** How many messages opens, clicks and deliveries were measured of. */
export interface MeasuredEmails {
  readonly deliveries: Measured;
  readonly opens: Measured;
  readonly clicks: Measured;
}

export function measuredEmails(
  counts: Pick<EmailCounts, 'sent' | 'bounced' | keyof MeasuredCounts>,
): MeasuredEmails {
  const { sent, bounced, deliveriesOf, opensOf, clicksOf } = counts;
  const arrived = sent - bounced;
  return {
    deliveries: { measured: deliveriesOf, of: sent },
    opens: { measured: opensOf, of: arrived },
    clicks: { measured: clicksOf, of: arrived },
  };
}

/** Of those who have it, that is of what was sent and has not come back; the bounce rate of what was sent. */
export function emailRates(counts: Omit<EmailCounts, 'delivered'>): EmailRates {
  const { sent, bounced, complained, unsubscribed } = counts;
  const arrived = sent - bounced;
  const { opens, clicks } = measuredEmails(counts);
  const hasOpens = !isUnmeasured(opens);
  const hasClicks = !isUnmeasured(clicks);
  return {
    openRate: hasOpens ? percentage(counts.opensIn, counts.opensOf) : null,
    clickRate: hasClicks ? percentage(counts.clicksIn, counts.clicksOf) : null,
    clickToOpenRate: hasOpens && hasClicks ? percentage(counts.bothIn, counts.bothOf) : null,
    bounceRate: percentage(bounced, sent),
    complaintRate: percentage(complained, arrived),
    unsubscribeRate: percentage(unsubscribed, arrived),
  };
}
