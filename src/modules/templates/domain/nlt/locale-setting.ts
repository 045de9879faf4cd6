/**
 * The contact's language and time zone, made safe: they come from imported data, so an unknown one falls back to
 * en-US or UTC instead of stopping a send. Intl objects are dear to make and are kept; the caches are bounded,
 * since their keys come from data.
 */

/** A locale and a time zone that Intl accepts. */
export interface LocaleSetting {
  readonly locale: string;
  readonly timeZone: string;
}

const MAX_CACHED = 500;

/** A cache that forgets everything when it is full: simple, and good enough where a refill is cheap. */
function cached<Value>(make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = make(key);
      if (values.size >= MAX_CACHED) values.clear();
      values.set(key, value);
    }
    return value;
  };
}

/** The locale to use for `written` (`de`, `de-AT`, `de_AT`); en-US if Intl does not know it. */
export const resolveLocale = cached((written: string): string => {
  const tag = written.trim().replaceAll('_', '-');
  return supported(tag) ?? 'en-US';
});

function supported(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined; // Not a language tag at all.
  }
}

/** The time zone to use for `written`; UTC if Intl does not know it. */
export const resolveTimeZone = cached((written: string): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: written.trim() }).resolvedOptions().timeZone;
  } catch {
    return 'UTC'; // No such time zone.
  }
});

/** A function that gives the kept formatter for a resolved setting. Ask once per set of options, not per value. */
export const dateTimeFormatter = (
  options: Intl.DateTimeFormatOptions,
): ((setting: LocaleSetting) => Intl.DateTimeFormat) => dateTimeFormatters(JSON.stringify(options));

const dateTimeFormatters = cached((key: string) => {
  const options = JSON.parse(key) as Intl.DateTimeFormatOptions;
  const byLocale = cached((locale: string) => {
    return cached((timeZone: string) => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
  });
  return (setting: LocaleSetting) => byLocale(setting.locale)(setting.timeZone);
});

/** A function that gives the kept formatter for a resolved locale. Ask once per set of options, not per value. */
export const numberFormatter = (options: Intl.NumberFormatOptions): ((locale: string) => Intl.NumberFormat) =>
  numberFormatters(JSON.stringify(options));

const numberFormatters = cached((key: string) => {
  const options = JSON.parse(key) as Intl.NumberFormatOptions;
  return cached((locale: string) => new Intl.NumberFormat(locale, options));
});
