/**
 * Exact decimal numbers, because 0.1 plus 0.2 is 0.3 on an invoice. A number is `units / 10^scale`. Every result of
 * arithmetic is cut to 60 significant digits and rejected beyond 10^±400, so that no template can make arithmetic
 * expensive. Division gives 20 significant digits. Halves are rounded away from zero.
 */

/** Significant digits of the longest result. */
export const MAX_DIGITS = 60;
const MAX_EXPONENT = 400;
const DIVISION_DIGITS = 20;
const ZERO_CODE = 48;

/** Longer texts are not parsed as numbers. */
export const MAX_NUMBER_LENGTH = 500;

/** An exact decimal number; create it with `decimalFrom`. */
export class Decimal {
  constructor(
    readonly units: bigint,
    readonly scale: number,
  ) {}

  /** Plain digits without an exponent or trailing zeros after the point. */
  toString(): string {
    if (this.units === 0n) return '0';
    const negative = this.units < 0n;
    const digits = (negative ? -this.units : this.units).toString();
    const text = this.scale <= 0 ? digits + '0'.repeat(-this.scale) : withPoint(digits, this.scale);
    return negative ? `-${text}` : text;
  }
}

function withPoint(digits: string, scale: number): string {
  const padded = digits.padStart(scale + 1, '0');
  const point = padded.length - scale;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === ZERO_CODE) end--;
  const whole = padded.slice(0, point);
  return end === point ? whole : `${whole}.${padded.slice(point, end)}`;
}

/**
 * Parses a decimal (`-12.50`, `1e3`); undefined if `text` is not a number, or would have to be cut: no number is better
 * than a different one.
 */
export function decimalFrom(text: string): Decimal | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const match = /^\s*([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  const decimal = limited(sign === '-' ? -units : units, scale);
  if (decimal === undefined || (units !== 0n && decimal.units === 0n)) return undefined;
  return decimal.scale === scale || units % power(scale - decimal.scale) === 0n ? decimal : undefined;
}

/** The decimal of plain digits (`-12.5`), regardless of their number. */
export function decimalOfDigits(digits: string): Decimal {
  const [whole = '', fraction = ''] = digits.split('.');
  return new Decimal(BigInt(whole + fraction), fraction.length);
}

/** Cuts to MAX_DIGITS; undefined if the number is too large. One too small becomes 0. */
function limited(units: bigint, scale: number): Decimal | undefined {
  if (units === 0n) return new Decimal(0n, 0);
  const length = digitCount(units);
  if (length - scale > MAX_EXPONENT) return undefined;
  if (scale - length > MAX_EXPONENT) return new Decimal(0n, 0);
  if (length <= MAX_DIGITS) return new Decimal(units, scale);
  const excess = length - MAX_DIGITS;
  return new Decimal(divideHalfUp(units, power(excess)), scale - excess);
}

function digitCount(units: bigint): number {
  return (units < 0n ? -units : units).toString().length;
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Division with halves rounded away from zero; `divisor` is not 0. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (a * 2n + b) / (b * 2n);
  return negative ? -quotient : quotient;
}

/** Both units at the larger of the two scales. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.units * power(scale - a.scale), b.units * power(scale - b.scale), scale];
}

/** `a + b`; undefined if too large. */
export function add(a: Decimal, b: Decimal): Decimal | undefined {
  const [left, right, scale] = aligned(a, b);
  return limited(left + right, scale);
}

/** `a - b`; undefined if too large. */
export function subtract(a: Decimal, b: Decimal): Decimal | undefined {
  const [left, right, scale] = aligned(a, b);
  return limited(left - right, scale);
}

/** `a * b`; undefined if too large. */
export function multiply(a: Decimal, b: Decimal): Decimal | undefined {
  return limited(a.units * b.units, a.scale + b.scale);
}

/** `a / b` with 20 significant digits; undefined for a division by zero or a result too large. */
export function divide(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.units === 0n) return undefined;
  const extra = Math.max(0, DIVISION_DIGITS + digitCount(b.units) - digitCount(a.units));
  const quotient = divideHalfUp(a.units * power(extra), b.units);
  const excess = digitCount(quotient) - DIVISION_DIGITS;
  const scale = a.scale - b.scale + extra;
  if (excess <= 0) return limited(quotient, scale);
  return limited(divideHalfUp(quotient, power(excess)), scale - excess);
}

/** The remainder with the sign of the divisor (-7 modulo 3 is 2); undefined for a division by zero. */
export function modulo(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.units === 0n) return undefined;
  const [left, right, scale] = aligned(a, b);
  return limited(((left % right) + right) % right, scale);
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. */
export function compare(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `a` with at most `digits` digits after the point; `down` and `up` round towards negative and positive infinity. */
export function round(a: Decimal, digits: number, mode: 'nearest' | 'down' | 'up'): Decimal {
  if (a.scale <= digits) return a;
  const divisor = power(a.scale - digits);
  if (mode === 'nearest') return new Decimal(divideHalfUp(a.units, divisor), digits);
  const remainder = ((a.units % divisor) + divisor) % divisor;
  const floor = (a.units - remainder) / divisor;
  return new Decimal(mode === 'up' && remainder > 0n ? floor + 1n : floor, digits);
}
