/**
 * Writes numbers and dates for `as "…"` by the contact's language and time zone.
 *
 * Dark corners:
 * - `currency` without a code is USD for everybody: a reader's language says nothing about what was paid.
 * - `percent` shows 0.25 as 25%, with up to two digits after the point.
 * - A format that does not fit a value (a text as "currency", a name as "date") leaves the value as it is.
 * - The narrow no-break space that Intl writes is drawn badly by old mail programs: it becomes a no-break space in
 *   numbers and a space in dates.
 */
import { datePatternFormatter } from './date-pattern.js';
import { Decimal } from './decimal.js';
import { dateTimeFormatter, type LocaleSetting, numberFormatter } from './locale-setting.js';
import { type Moment, momentFrom } from './moment.js';
import { type Numeric, numericOf } from './numeric.js';
import type { RenderState } from './render-context.js';

type DateStyle = 'date' | 'short date' | 'long date' | 'time' | 'date and time';

const dateFormatters = {
  date: dateTimeFormatter({ dateStyle: 'medium' }),
  'short date': dateTimeFormatter({ dateStyle: 'short' }),
  'long date': dateTimeFormatter({ dateStyle: 'long' }),
  time: dateTimeFormatter({ timeStyle: 'short' }),
  'date and time': dateTimeFormatter({ dateStyle: 'medium', timeStyle: 'short' }),
};

/** A moment in one of the named styles. A day without a time is never moved by the time zone. */
export function formatDateTime(moment: Moment, style: DateStyle, setting: LocaleSetting): string {
  return plainSpaces(dateFormatters[style](inItsZone(moment, setting)).format(moment.instant));
}

function inItsZone(moment: Moment, setting: LocaleSetting): LocaleSetting {
  return moment.precision === 'day' ? { locale: setting.locale, timeZone: 'UTC' } : setting;
}

function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ');
}

/** The function for a canonical format (see `canonicalFormat`) other than `html`. */
export function compileFormat(format: string): (value: unknown, state: RenderState) => unknown {
  if (format === 'number') return numbers({});
  if (format === 'percent') return numbers({ style: 'percent', maximumFractionDigits: 2 });
  if (format === 'currency') return numbers({ style: 'currency', currency: 'USD' });
  const currency = /^currency ([A-Z]{3})$/.exec(format)?.[1];
  if (currency !== undefined) return numbers({ style: 'currency', currency });
  if (Object.hasOwn(dateFormatters, format)) {
    return dates((moment, setting) => formatDateTime(moment, format as DateStyle, setting));
  }
  const write = datePatternFormatter(format);
  return dates((moment, setting) => plainSpaces(write(moment.instant, inItsZone(moment, setting))));
}

function numbers(options: Intl.NumberFormatOptions): (value: unknown, state: RenderState) => unknown {
  const formatter = numberFormatter(options);
  return (value, state) => {
    const numeric = numericOf(value);
    return numeric === undefined ? value : formatNumber(numeric, formatter(state.setting.locale));
  };
}

/** Intl takes exact decimals as texts. */
function formatNumber(numeric: Numeric, format: Intl.NumberFormat): string {
  const exact = numeric instanceof Decimal ? (numeric.toString() as Intl.StringNumericLiteral) : numeric;
  return format.format(exact === 0 ? 0 : exact).replaceAll('\u202f', '\u00a0');
}

function dates(write: (moment: Moment, setting: LocaleSetting) => string) {
  return (value: unknown, state: RenderState): unknown => {
    const moment = momentFrom(value instanceof Decimal ? Number(value.toString()) : value);
    return moment === undefined ? value : write(moment, state.setting);
  };
}
