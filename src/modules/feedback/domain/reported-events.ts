/**
 * Which events a provider reports. Nothing says so but the events themselves: if it reported some of a day's messages, it
 * would have reported the others of the days around it too.
 */
import { DAY } from '../../../kernel/duration.js';
import { TRACKED } from '../../tracking/domain/tracking-settings.js';

const REPORTED_KINDS = ['delivered', 'opened', 'clicked'] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

/** Days before and after one with events, for which the provider counts as reporting. */
export const REPORTING_WINDOW_DAYS = 30;

/** A day of UTC, as YYYY-MM-DD, on which a message was sent that the provider reported an event of. */
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

/** The span with the days around it that count for its messages. */
export function withReportingWindow({ from, until }: TimeSpan): TimeSpan {
  const around = REPORTING_WINDOW_DAYS * DAY;
  return { from: new Date(from.getTime() - around), until: new Date(until.getTime() + around) };
}

/**
 * The kind of event that shows that the provider measures it; undefined for events of our own tracking, and for those that may
 * be due to it.
 * @param type as the source calls the event.
 * @param tracked which tracking the message carried.
 */
export function reportedKind(type: string, kind: string | null, tracked: number): ReportedKind | undefined {
  if (type.startsWith('tracked.')) return undefined;
  const reported = REPORTED_KINDS.find((one) => one === kind);
  if (reported === 'opened' && (tracked & TRACKED.opens) !== 0) return undefined;
  return reported === 'clicked' && (tracked & TRACKED.clicks) !== 0 ? undefined : reported;
}
