/**
 * How rates are made of counts, once for the whole product: reports, campaigns, flows and goals ask here. Percentages from 0 to
 * 100 with two decimals, 0 where there is nothing to divide by.
 */

/** A part of a whole in percent. */
export function percentage(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
}

/** Messages, each counted once for each of these however often it happened; machines' opens and clicks are left out. */
export interface EmailCounts {
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
  readonly openRate: number;
  readonly clickRate: number;
  readonly clickToOpenRate: number;
  readonly bounceRate: number;
  readonly complaintRate: number;
  readonly unsubscribeRate: number;
}

/** Of those who have it, that is of what was sent and has not come back; the bounce rate of what was sent. */
export function emailRates(counts: Omit<EmailCounts, 'delivered'>): EmailRates {
  const { sent, bounced, opened, clicked, complained, unsubscribed } = counts;
  const arrived = sent - bounced;
  return {
    openRate: percentage(opened, arrived),
    clickRate: percentage(clicked, arrived),
    clickToOpenRate: percentage(clicked, opened),
    bounceRate: percentage(bounced, sent),
    complaintRate: percentage(complained, arrived),
    unsubscribeRate: percentage(unsubscribed, arrived),
  };
}
