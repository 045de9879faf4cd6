/**
 * Validates the contact's language and time zone. They come from imported data, so an unknown one falls back to en-US
 * or UTC instead of stopping a send. Intl objects are expensive to create and are cached; the caches are bounded, since
 * their keys come from data.
 */
import { GenerationalCache } from './generational-cache.js';

/** A locale and a time zone that Intl accepts. */
export interface LocaleSetting {
  readonly locale: string;
  readonly timeZone: string;
}

const MAX_CACHED = 1_000;
/** Longer texts are neither a language nor a time zone, and are not worth caching. */
const MAX_NAME_LENGTH = 100;

/** One cache per kind, shared by all formats: a separate bound per format would not limit the total. */
const locales = new GenerationalCache<string>(MAX_CACHED);
const timeZones = new GenerationalCache<string>(MAX_CACHED);
const dateTimeFormats = new GenerationalCache<Intl.DateTimeFormat>(MAX_CACHED);
const numberFormats = new GenerationalCache<Intl.NumberFormat>(MAX_CACHED);

/** The locale to use for `written` (`de`, `de-AT`, `de_AT`); en-US if Intl does not know it. */
export function resolveLocale(written: string): string {
  if (written.length > MAX_NAME_LENGTH) return 'en-US';
  return locales.get(written, () => supportedLocale(written.trim().replaceAll('_', '-')) ?? 'en-US');
}

function supportedLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined; // Not a language tag at all.
  }
}

/** The time zone to use for `written`; UTC if Intl does not know it. */
export function resolveTimeZone(written: string): string {
  return written.length > MAX_NAME_LENGTH ? 'UTC' : timeZones.get(written, () => timeZoneOf(written.trim()));
}

function timeZoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC'; // No such time zone.
  }
}

/**
 * Returns a function that gives the cached formatter for a resolved setting. Call once per set of options, not per
 * value.
 */
export function dateTimeFormatter(
  options: Intl.DateTimeFormatOptions,
): (setting: LocaleSetting) => Intl.DateTimeFormat {
  const name = JSON.stringify(options);
  return ({ locale, timeZone }) =>
    dateTimeFormats.get(
      `${locale} ${timeZone} ${name}`,
      () => new Intl.DateTimeFormat(locale, { ...options, timeZone }),
    );
}

/**
 * Returns a function that gives the cached formatter for a resolved locale. Call once per set of options, not per
 * value.
 */
export function numberFormatter(options: Intl.NumberFormatOptions): (locale: string) => Intl.NumberFormat {
  const name = JSON.stringify(options);
  return (locale) => numberFormats.get(`${locale} ${name}`, () => new Intl.NumberFormat(locale, options));
}
