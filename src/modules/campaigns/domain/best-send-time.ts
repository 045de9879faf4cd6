/** When the contacts of a segment read their mail, and therefore when to send them a campaign; section 4.5. */
import { DAY, HOUR } from '../../../kernel/duration.js';
import { nextOffsetChange, offsetAt } from '../../../kernel/time-zone.js';

/** Number of past days whose opens and clicks count. */
export const LOOKBACK_DAYS = 90;

/** Opens and clicks by people within one hour of the week. */
export interface ReadingHour {
  /** 0 is Monday. */
  readonly dayOfWeek: number;
  readonly hour: number;
  readonly opens: number;
  readonly clicks: number;
}

export const CONFIDENCES = ['none', 'low', 'medium', 'high'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface BestSendTime {
  /** The next such hour; null if too little is known. */
  readonly recommendedAt: Date | null;
  /** 0 is Monday. */
  readonly dayOfWeek: number | null;
  readonly hour: number | null;
  readonly timezone: string;
  readonly confidence: Confidence;
  readonly basedOn: {
    readonly opens: number;
    readonly clicks: number;
    readonly contacts: number;
    readonly days: number;
  };
  /** Omits hours without opens and clicks. */
  readonly histogram: readonly ReadingHour[];
}

/** The minimum number of opens and clicks for each confidence level. */
const CONFIDENCE_THRESHOLDS: readonly (readonly [Confidence, number])[] = [
  ['high', 1_000],
  ['medium', 200],
  ['low', 50],
];
/** A click counts more, since it is what the mail is meant to achieve. */
const CLICK_WEIGHT = 2;
const HOURS_PER_WEEK = 7 * 24;
const WEEK = 7 * DAY;

/**
 * Returns the hour of the week in which people read most; a click counts as two opens. Ties go to the hour with more
 * activity around it, then to the earliest in the week.
 * @param timezone an IANA zone, in which the hours are counted.
 */
export function bestSendTime(
  { contacts, hours }: { readonly contacts: number; readonly hours: readonly ReadingHour[] },
  timezone: string,
  now: Date,
): BestSendTime {
  const opens = hours.reduce((sum, hour) => sum + hour.opens, 0);
  const clicks = hours.reduce((sum, hour) => sum + hour.clicks, 0);
  const confidence =
    CONFIDENCE_THRESHOLDS.find(([, minEvents]) => opens + clicks >= minEvents)?.[0] ?? 'none';
  const best = confidence === 'none' ? undefined : busiestHour(hours);
  return {
    recommendedAt: best ? nextHour(best, timezone, now) : null,
    dayOfWeek: best?.dayOfWeek ?? null,
    hour: best?.hour ?? null,
    timezone,
    confidence,
    basedOn: { opens, clicks, contacts, days: LOOKBACK_DAYS },
    histogram: hours,
  };
}

function busiestHour(hours: readonly ReadingHour[]): ReadingHour | undefined {
  const weights = new Map(hours.map((hour) => [hourOfWeek(hour), hour.opens + CLICK_WEIGHT * hour.clicks]));
  const at = (index: number): number => weights.get((index + HOURS_PER_WEEK) % HOURS_PER_WEEK) ?? 0;
  const ranked = hours
    .map((hour) => ({ hour, place: hourOfWeek(hour) }))
    .map(({ hour, place }) => ({ hour, place, own: at(place), around: at(place - 1) + at(place + 1) }));
  return ranked.sort((a, b) => b.own - a.own || b.around - a.around || a.place - b.place)[0]?.hour;
}

function hourOfWeek({ dayOfWeek, hour }: Pick<ReadingHour, 'dayOfWeek' | 'hour'>): number {
  return dayOfWeek * 24 + hour;
}

/** The next start of the hour in the zone; if a change of clocks skips it, the moment of the change. */
function nextHour({ dayOfWeek, hour }: ReadingHour, timezone: string, now: Date): Date {
  const shown = now.getTime() + offsetAt(timezone, now.getTime());
  // The epoch was a Thursday.
  const monday = shown - ((((shown - 4 * DAY) % WEEK) + WEEK) % WEEK);
  const inThisWeek = monday + dayOfWeek * DAY + hour * HOUR;
  const nextLocal = inThisWeek > shown ? inThisWeek : inThisWeek + WEEK;
  return new Date(momentOf(nextLocal, timezone, now.getTime()));
}

/**
 * Converts a local time, given as if it were UTC, to the moment it occurs; the result must lie after `now` and within
 * weeks.
 */
function momentOf(shown: number, timezone: string, now: number): number {
  const moment = shown - offsetAt(timezone, shown - offsetAt(timezone, now));
  if (moment + offsetAt(timezone, moment) === shown) return moment;
  // The change of clocks skips this local time.
  return nextOffsetChange(timezone, moment - DAY, moment + DAY) ?? moment;
}
