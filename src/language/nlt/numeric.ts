/**
 * Numbers as they occur in data: numbers, integers of any size, and texts.
 *
 * Edge cases:
 * - A text is a number if it is plain digits with an optional sign, point and exponent (`" 12.50 "`, but not `1,000`,
 *   `12 EUR` or `true`).
 * - Arithmetic rejects numbers of more than 60 digits, since it would silently cut them. Longer numbers can still be
 *   shown, rounded, formatted and compared.
 */
import { ExactNumber, isNumber } from '../../kernel/exact-number.js';
import { Decimal, decimalFrom, decimalOfDigits, MAX_NUMBER_LENGTH, MAX_DIGITS } from './decimal.js';
import { WORK_COST } from './limits.js';

/** A number in arithmetic: a safe integer where possible, since that is fast. */
export type Numeric = number | Decimal;

/** Counts work. */
interface Meter {
  spend(amount: number): void;
}

/** The value as a number for arithmetic, or undefined. Parsing a text or a fraction counts as work. */
export function numericOf(value: unknown, meter: Meter): Numeric | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    meter.spend(WORK_COST.number);
    return Number.isFinite(value) ? normalizeNumeric(decimalFrom(String(value))) : undefined;
  }
  if (value instanceof ExactNumber) return numericOf(value.text, meter);
  if (typeof value === 'string') {
    if (value.length > MAX_NUMBER_LENGTH) return undefined;
    meter.spend(WORK_COST.number + 2 * value.length);
    return normalizeNumeric(decimalFrom(value));
  }
  if (typeof value === 'bigint') {
    meter.spend(WORK_COST.exact);
    return normalizeNumeric(decimalFrom(String(value)));
  }
  return value instanceof Decimal ? value : undefined;
}

/** The value as a number to round or format, regardless of its digits; undefined if it is not a number. */
export function longNumericOf(value: unknown, meter: Meter): Numeric | undefined {
  if (!(value instanceof ExactNumber)) return numericOf(value, meter);
  meter.spend(WORK_COST.exact + 2 * value.text.length);
  return decimalOfDigits(value.text);
}

/** Whether a value may be a number with more digits than arithmetic supports. */
export function mayBeLong(value: unknown): boolean {
  return value instanceof ExactNumber || (typeof value === 'string' && value.length > MAX_DIGITS);
}

/** The value as a number to compare, regardless of its digits; undefined if it is not a number. */
export function comparableOf(value: unknown, meter: Meter): number | ExactNumber | undefined {
  if (isNumber(value)) return value;
  if (typeof value !== 'string' && typeof value !== 'bigint' && !(value instanceof Decimal)) return undefined;
  const text = String(value);
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  meter.spend(WORK_COST.exact + 2 * text.length);
  const number = ExactNumber.from(text.trim().replace(/^\+/, ''));
  return number instanceof ExactNumber || Number.isFinite(number) ? number : undefined;
}

/** The decimal of a number. */
export function toDecimal(value: Numeric): Decimal {
  return typeof value === 'number' ? new Decimal(BigInt(value), 0) : value;
}

/** A small integer becomes a plain number again. */
export function normalizeNumeric(value: Decimal | undefined): Numeric | undefined {
  if (value === undefined || value.units === 0n) return value && 0;
  if (value.scale > 0 && value.units % 10n !== 0n) return value;
  const plain = Number(value.toString());
  return Number.isSafeInteger(plain) && toDecimal(plain).toString() === value.toString() ? plain : value;
}

/** The number of a literal, whose digits the parser has checked; a text if it is too large for arithmetic. */
export function numberOfLiteral(digits: string): Numeric | string {
  return normalizeNumeric(decimalFrom(digits)) ?? digits;
}

/** A number in plain digits, without an exponent or redundant zeros; null if it is not a number, or too large. */
export function plainDigitsOf(written: string): string | null {
  const number = ExactNumber.from(written);
  if (number instanceof ExactNumber) return number.text;
  return Number.isFinite(number) ? (decimalFrom(String(number))?.toString() ?? null) : null;
}
