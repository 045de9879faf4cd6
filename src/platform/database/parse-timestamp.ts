/** Parses PostgreSQL timestamps quickly, because rows of trips and contacts contain several. */
import pg from 'pg';

const { TIMESTAMPTZ } = pg.types.builtins;
/** The driver's own parser, for all formats. */
export const parseWithDriver = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;

pg.types.setTypeParser(TIMESTAMPTZ, parseTimestamp);

/**
 * Parses `2026-03-02 10:00:00.123+00` with millisecond precision. Leaves other forms (another time zone, years before
 * 100 or after 9999, infinity) to the driver.
 */
export function parseTimestamp(text: string): unknown {
  const end = text.length - 3;
  if (!text.endsWith('+00') || (end !== 19 && text[19] !== '.') || end > 26) return parseWithDriver(text);
  const year = digits(text, 0, 4);
  const time = Date.UTC(
    year,
    digits(text, 5, 7) - 1,
    digits(text, 8, 10),
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
    end === 19 ? 0 : digits(`${text.slice(20, end)}00`, 0, 3),
  );
  return year < 100 || Number.isNaN(time) ? parseWithDriver(text) : new Date(time);
}

/** The number at this position; NaN if it contains a character other than digits. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    number = number * 10 + digit;
  }
  return number;
}
