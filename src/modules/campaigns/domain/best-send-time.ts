/** When the people of a segment read their mail, and so when a campaign had best be sent to them, section 4.5. */
import { DAY, HOUR } from '../../../kernel/duration.js';
import { changeOfClocks, offsetAt } from '../../../kernel/time-zone.js';

/** Days of opens and clicks that are looked at. */
export const LOOKED_BACK = 90;

/** The opens and clicks by people in one hour of the week. */
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
  /** The next such hour; null where too little is known. */
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
  /** Hours in which nothing happened are left out. */
  readonly histogram: readonly ReadingHour[];
}

/** How many opens and clicks each confidence needs at least. */
const LEAST: readonly (readonly [Confidence, number])[] = [
  ['high', 1_000],
  ['medium', 200],
  ['low', 50],
];
/** Whoever clicks has done what the mail is for. */
const WEIGHT_OF_CLICK = 2;
const HOURS_OF_WEEK = 7 * 24;
const WEEK = 7 * DAY;

/**
 * The hour of the week in which people read most, a click counting as two opens; of equal ones the one that has the
 * livelier hours around it, then the first of the week.
 * @param timezone an IANA zone: the hours are its.
 */
export function bestSendTime(
  { contacts, hours }: { readonly contacts: number; readonly hours: readonly ReadingHour[] },
  timezone: string,
  now: Date,
): BestSendTime {
  const opens = hours.reduce((sum, hour) => sum + hour.opens, 0);
  const clicks = hours.reduce((sum, hour) => sum + hour.clicks, 0);
  const confidence = LEAST.find(([, least]) => opens + clicks >= least)?.[0] ?? 'none';
  const best = confidence === 'none' ? undefined : liveliest(hours);
  return {
    recommendedAt: best ? nextHour(best, timezone, now) : null,
    dayOfWeek: best?.dayOfWeek ?? null,
    hour: best?.hour ?? null,
    timezone,
    confidence,
    basedOn: { opens, clicks, contacts, days: LOOKED_BACK },
    histogram: hours,
  };
}

function liveliest(hours: readonly ReadingHour[]): ReadingHour | undefined {
  const weights = new Map(hours.map((hour) => [placeOf(hour), hour.opens + WEIGHT_OF_CLICK * hour.clicks]));
  const at = (place: number): number => weights.get((place + HOURS_OF_WEEK) % HOURS_OF_WEEK) ?? 0;
  const ranked = hours
    .map((hour) => ({ hour, place: placeOf(hour) }))
    .map(({ hour, place }) => ({ hour, place, own: at(place), around: at(place - 1) + at(place + 1) }));
  return ranked.sort((a, b) => b.own - a.own || b.around - a.around || a.place - b.place)[0]?.hour;
}

function placeOf({ dayOfWeek, hour }: Pick<ReadingHour, 'dayOfWeek' | 'hour'>): number {
  return dayOfWeek * 24 + hour;
}

/** The next moment at which clocks of the zone show the hour's beginning; the moment after it where they leave it out. */
function nextHour({ dayOfWeek, hour }: ReadingHour, timezone: string, now: Date): Date {
  const shown = now.getTime() + offsetAt(timezone, now.getTime());
  // The epoch was a Thursday.
  const monday = shown - ((((shown - 4 * DAY) % WEEK) + WEEK) % WEEK);
  const inThisWeek = monday + dayOfWeek * DAY + hour * HOUR;
  const wanted = inThisWeek > shown ? inThisWeek : inThisWeek + WEEK;
  return new Date(momentOf(wanted, timezone, now.getTime()));
}

/** When clocks show a time, given as though it were UTC; it is to come after `now`, and within weeks. */
function momentOf(shown: number, timezone: string, now: number): number {
  const moment = shown - offsetAt(timezone, shown - offsetAt(timezone, now));
  if (moment + offsetAt(timezone, moment) === shown) return moment;
  // Clocks are put forward over it.
  return changeOfClocks(timezone, moment - DAY, moment + DAY) ?? moment;
}
