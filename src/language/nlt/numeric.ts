/**
 * Numbers as data brings them: numbers, whole ones of any size, and texts.
 *
 * Dark corner: a text is a number if it is plain digits with an optional sign, point and exponent (`" 12.50 "`, but
 * not `1,000`, `12 EUR` or `true`).
 */
import { ExactNumber } from '../../kernel/exact-number.js';
import { Decimal, decimalFrom, LONGEST_NUMBER, MAX_DIGITS } from './decimal.js';
import { WORK } from './limits.js';

/** A number in arithmetic: a safe integer where possible, since that is fast. */
export type Numeric = number | Decimal;

/** Where work is counted. */
interface Meter {
  spend(amount: number): void;
}

/** The number that a value is, or undefined. Reading a text or a fraction is counted as work. */
export function numericOf(value: unknown, meter: Meter): Numeric | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    meter.spend(WORK.number);
    return Number.isFinite(value) ? settled(decimalFrom(String(value))) : undefined;
  }
  // With more digits the arithmetic would cut it in silence: better none than another.
  if (value instanceof ExactNumber)
    return value.text.length <= MAX_DIGITS ? numericOf(value.text, meter) : undefined;
  if (typeof value === 'string') {
    if (value.length > LONGEST_NUMBER) return undefined;
    meter.spend(WORK.number + 2 * value.length);
    return settled(decimalFrom(value));
  }
  if (typeof value === 'bigint') {
    meter.spend(WORK.exact);
    return settled(decimalFrom(String(value)));
  }
  return value instanceof Decimal ? value : undefined;
}

/** The decimal of a number. */
export function toDecimal(value: Numeric): Decimal {
  return typeof value === 'number' ? new Decimal(BigInt(value), 0) : value;
}

/** A whole number small enough becomes a plain number again. */
export function settled(value: Decimal | undefined): Numeric | undefined {
  if (value === undefined || value.units === 0n) return value && 0;
  if (value.scale > 0 && value.units % 10n !== 0n) return value;
  const plain = Number(value.toString());
  return Number.isSafeInteger(plain) && toDecimal(plain).toString() === value.toString() ? plain : value;
}

/** The number of a literal, whose digits the parser has checked; a text if it is too large to reckon with. */
export function numberOfLiteral(digits: string): Numeric | string {
  return settled(decimalFrom(digits)) ?? digits;
}
