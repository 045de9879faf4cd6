/**
 * Numbers that a double cannot represent exactly, such as order numbers of twenty digits or prices with many decimals.
 * They keep their exact decimal value. All other numbers are plain JavaScript numbers.
 */

/** Maximum number of digits of a number, before and after the decimal point together. */
export const MAX_DIGITS = 1_000;

/** The prefix that JSON.stringify writes for an exact number. `jsonText` sets it, then finds and removes it. */
let mark = '';

export class ExactNumber {
  private constructor(
    /** The value in plain digits, without an exponent or redundant zeros. Equal numbers have equal texts. */
    readonly text: string,
  ) {}

  /**
   * Parses a JSON number: a plain number if a double holds exactly this value, otherwise an ExactNumber. Infinite if
   * the number exceeds the range of a double or has more than 1,000 digits.
   */
  static from(literal: string): number | ExactNumber {
    const plain = Number(literal);
    if (!Number.isFinite(plain)) return plain;
    const text = plainDigits(literal);
    if (text === undefined) return literal.startsWith('-') ? -Infinity : Infinity;
    return text === plainDigits(String(plain)) ? plain : new ExactNumber(text);
  }

  toString(): string {
    return this.text;
  }

  /** Writes the number as text when JSON is written without `jsonText`. The type changes, but no digit is lost. */
  toJSON(): string {
    return mark + this.text;
  }
}

export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Negative, zero or positive if the first number is less than, equal to or greater than the second. */
export function compareNumbers(one: number | ExactNumber, other: number | ExactNumber): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [left, right] = [digitsOf(one), digitsOf(other)];
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1;
  const order = compareDigits(left, right);
  return left.isNegative ? -order : order;
}

/** Runs `write` while exact numbers write this mark before their digits. */
export function withMark(ownMark: string, write: () => string): string {
  mark = ownMark;
  try {
    return write();
  } finally {
    mark = '';
  }
}

interface Digits {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

function digitsOf(value: number | ExactNumber): Digits {
  const text = typeof value === 'number' ? (plainDigits(String(value)) ?? String(value)) : value.text;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  return { isNegative: text.startsWith('-'), whole, fraction };
}

function compareDigits(left: Digits, right: Digits): number {
  if (left.whole.length !== right.whole.length) return left.whole.length - right.whole.length;
  if (left.whole !== right.whole) return left.whole < right.whole ? -1 : 1;
  if (left.fraction === right.fraction) return 0;
  return left.fraction < right.fraction ? -1 : 1;
}

/** Maximum characters of a sign, a decimal point and an exponent. */
const MAX_OTHER_CHARACTERS = 20;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Writes a number in plain digits. Undefined if that takes too many digits or the text is not a number. */
function plainDigits(literal: string): string | undefined {
  if (literal.length > MAX_DIGITS + MAX_OTHER_CHARACTERS) return undefined;
  const match = LITERAL.exec(literal);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  // The number of digits before the decimal point, if the significant digits started right after it.
  const point = digits.length - fraction.length + Number(exponent);
  const length = Math.max(significant.length, point, significant.length - point);
  if (length > MAX_DIGITS) return undefined;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${significant}`;
  if (point >= significant.length) return sign + significant.padEnd(point, '0');
  return `${sign}${significant.slice(0, point)}.${significant.slice(point)}`;
}
