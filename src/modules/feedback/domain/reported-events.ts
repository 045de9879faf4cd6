/**
 * Infers which events a provider reports, from the events themselves: a provider that reported some messages of a day
 * would also have reported those of the days around it.
 */
import { DAY } from '../../../kernel/duration.js';
import { TRACKING_BITS } from '../../tracking/domain/tracking-settings.js';

const REPORTED_KINDS = ['delivered', 'opened', 'clicked'] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

/** Number of days before and after a day with events for which the provider counts as reporting. */
export const REPORTING_WINDOW_DAYS = 30;

/** A UTC day, as YYYY-MM-DD, on which a message was sent for which the provider reported an event. */
export interface ReportedDay {
  readonly kind: ReportedKind;
  readonly day: string;
}

export interface TimeSpan {
  readonly from: Date;
  readonly until: Date;
}

/** Whether the provider reports events of each kind. */
export type ReportedKinds = Readonly<Record<ReportedKind, boolean>>;

export const NOTHING_REPORTED: ReportedKinds = { delivered: false, opened: false, clicked: false };

/** The span extended by the days that count for its messages. */
export function withReportingWindow({ from, until }: TimeSpan): TimeSpan {
  const around = REPORTING_WINDOW_DAYS * DAY;
  return { from: new Date(from.getTime() - around), until: new Date(until.getTime() + around) };
}

/**
 * The kind of event that proves that the provider measures it; undefined for events of our own tracking, and for
 * those that our tracking may have caused.
 * @param type the source's name for the event.
 * @param tracked which tracking the message had.
 */
export function reportedKind(type: string, kind: string | null, tracked: number): ReportedKind | undefined {
  if (type.startsWith('tracked.')) return undefined;
  const reported = REPORTED_KINDS.find((one) => one === kind);
  if (reported === 'opened' && (tracked & TRACKING_BITS.opens) !== 0) return undefined;
  return reported === 'clicked' && (tracked & TRACKING_BITS.clicks) !== 0 ? undefined : reported;
}
