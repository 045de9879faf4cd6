/**
 * Computes rates from counts, once for the whole product: reports, campaigns, flows and goals use it. Rates are
 * percentages from 0 to 100 with two decimals; 0 if the denominator is 0.
 */
import { isUnmeasured, type Measured } from './measured.js';

/** A part as a percentage of a whole. */
export function percentage(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
}

/**
 * The counts restricted to messages that were measured. `…Of` is the denominator of a rate and `…In` its numerator; for
 * `bothOf` and `bothIn`, these are opened and clicked messages, where both are measured.
 */
export interface MeasuredCounts {
  /** Sent, for messages whose deliveries are reported. */
  readonly deliveriesOf: number;
  /** Sent minus bounced, and opened, for messages whose opens are measured. */
  readonly opensOf: number;
  readonly opensIn: number;
  /** Sent minus bounced, and clicked, for messages whose clicks are measured. */
  readonly clicksOf: number;
  readonly clicksIn: number;
  /** Opened, and clicked, for messages for which both are measured. */
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

/** Adds two counts field by field. */
export function addCounts<Counts extends MeasuredCounts>(one: Counts, other: Counts): Counts {
  const names = Object.keys(one) as (keyof MeasuredCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Counts;
}

/**
 * Message counts. Each message counts once per field, however often it happened; machine opens and clicks are excluded.
 */
export interface EmailCounts extends MeasuredCounts {
  readonly sent: number;
  readonly delivered: number;
  /** A click counts as an open, whether or not images were loaded. */
  readonly opened: number;
  readonly clicked: number;
  /** A soft bounce followed by a delivery does not count. */
  readonly bounced: number;
  readonly complained: number;
  readonly unsubscribed: number;
}

export interface EmailRates {
  /** Null if no message was measured. */
  readonly openRate: number | null;
  readonly clickRate: number | null;
  readonly clickToOpenRate: number | null;
  readonly bounceRate: number;
  readonly complaintRate: number;
  readonly unsubscribeRate: number;
}

/** How many messages were measured for opens, clicks and deliveries. */
export interface MeasuredEmails {
  readonly deliveries: Measured;
  readonly opens: Measured;
  readonly clicks: Measured;
}

export function measuredEmails(
  counts: Pick<EmailCounts, 'sent' | 'bounced' | keyof MeasuredCounts>,
): MeasuredEmails {
  const { sent, bounced, deliveriesOf, opensOf, clicksOf } = counts;
  const notBounced = sent - bounced;
  return {
    deliveries: { measured: deliveriesOf, of: sent },
    opens: { measured: opensOf, of: notBounced },
    clicks: { measured: clicksOf, of: notBounced },
  };
}

/**
 * Rates relative to sent messages that did not bounce. The bounce rate is relative to sent messages, and
 * click-to-open to opened ones.
 */
export function emailRates(counts: Omit<EmailCounts, 'delivered'>): EmailRates {
  const { sent, bounced, complained, unsubscribed } = counts;
  const notBounced = sent - bounced;
  const { opens, clicks } = measuredEmails(counts);
  const hasOpens = !isUnmeasured(opens);
  const hasClicks = !isUnmeasured(clicks);
  return {
    openRate: hasOpens ? percentage(counts.opensIn, counts.opensOf) : null,
    clickRate: hasClicks ? percentage(counts.clicksIn, counts.clicksOf) : null,
    clickToOpenRate: hasOpens && hasClicks ? percentage(counts.bothIn, counts.bothOf) : null,
    bounceRate: percentage(bounced, sent),
    complaintRate: percentage(complained, notBounced),
    unsubscribeRate: percentage(unsubscribed, notBounced),
  };
}
