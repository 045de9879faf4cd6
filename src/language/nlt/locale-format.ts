/**
 * Formats numbers and dates for `as "…"` in the contact's language and time zone.
 *
 * Edge cases:
 * - `currency` without a code is always USD: a reader's language does not imply the currency of a payment.
 * - `percent` shows 0.25 as 25%, with up to two digits after the point.
 * - A value that rounds to zero has no sign: -0.004 as "currency" is $0.00.
 * - A format that does not fit a value (a text as "currency", a name as "date") leaves the value unchanged.
 * - Old mail programs display Intl's narrow no-break space badly: it becomes a no-break space in numbers and a space in
 *   dates.
 */
import { datePatternFormatter } from './date-pattern.js';
import { Decimal } from './decimal.js';
import { dateTimeFormatter, type LocaleSetting, numberFormatter } from './locale-setting.js';
import { WORK_COST } from './limits.js';
import { type Moment, momentFrom } from './moment.js';
import { longNumericOf, type Numeric } from './numeric.js';
import type { RenderState } from './render-context.js';

type DateStyle = 'date' | 'short date' | 'long date' | 'time' | 'date and time';

const dateFormatters = {
  date: dateTimeFormatter({ dateStyle: 'medium' }),
  'short date': dateTimeFormatter({ dateStyle: 'short' }),
  'long date': dateTimeFormatter({ dateStyle: 'long' }),
  time: dateTimeFormatter({ timeStyle: 'short' }),
  'date and time': dateTimeFormatter({ dateStyle: 'medium', timeStyle: 'short' }),
};

/** Formats a moment in one of the named styles. A day without a time is never moved by the time zone. */
export function formatDateTime(moment: Moment, style: DateStyle, state: RenderState): string {
  state.spendOn(style);
  return plainSpaces(dateFormatters[style](inItsZone(moment, state.setting)).format(moment.instant));
}

function inItsZone(moment: Moment, setting: LocaleSetting): LocaleSetting {
  return moment.precision === 'day' ? { locale: setting.locale, timeZone: 'UTC' } : setting;
}

function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ');
}

/** Returns the function for a canonical format (see `canonicalFormat`) other than `html`. */
export function compileFormat(format: string): (value: unknown, state: RenderState) => unknown {
  if (format === 'number') return numbers(format, {});
  if (format === 'percent') return numbers(format, { style: 'percent', maximumFractionDigits: 2 });
  if (format === 'currency') return numbers(format, { style: 'currency', currency: 'USD' });
  const currency = /^currency ([A-Z]{3})$/.exec(format)?.[1];
  if (currency !== undefined) return numbers(format, { style: 'currency', currency });
  if (Object.hasOwn(dateFormatters, format)) {
    return dates((moment, state) => formatDateTime(moment, format as DateStyle, state));
  }
  const write = datePatternFormatter(format);
  return dates((moment, state) =>
    plainSpaces(write(moment.instant, inItsZone(moment, state.setting), state)),
  );
}

function numbers(
  format: string,
  options: Intl.NumberFormatOptions,
): (value: unknown, state: RenderState) => unknown {
  const formatter = numberFormatter({ ...options, signDisplay: 'negative' });
  return (value, state) => {
    const numeric = longNumericOf(value, state);
    if (numeric === undefined) return value;
    state.spendOn(format);
    return formatNumber(numeric, formatter(state.setting.locale), state);
  };
}

/** Intl accepts exact decimals as texts. */
function formatNumber(numeric: Numeric, format: Intl.NumberFormat, state: RenderState): string {
  const exact = numeric instanceof Decimal ? (numeric.toString() as Intl.StringNumericLiteral) : numeric;
  if (typeof exact === 'string') state.spend(exact.length);
  return format.format(exact).replaceAll('\u202f', '\u00a0');
}

function dates(write: (moment: Moment, state: RenderState) => string) {
  return (value: unknown, state: RenderState): unknown => {
    state.spend(WORK_COST.date);
    const moment = momentFrom(value instanceof Decimal ? Number(value.toString()) : value);
    return moment === undefined ? value : write(moment, state);
  };
}
