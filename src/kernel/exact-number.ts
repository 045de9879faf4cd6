/**
 * Numbers that a double cannot hold: order numbers of twenty digits, prices of many decimals. They keep their exact
 * decimal value through everything; every other number is a plain one, so that code meets this type only where it must.
 */

/** Digits of the longest number that is taken, before and behind the point together. */
export const MOST_DIGITS = 1_000;

/** What JSON.stringify writes for an exact number; `jsonText` asks for a mark that it finds again. */
let mark = '';

export class ExactNumber {
  private constructor(
    /** The value in plain digits: no exponent, no zeros that say nothing. Equal numbers have equal texts. */
    readonly text: string,
  ) {}

  /**
   * The value of a number as JSON writes it: a plain number where a double holds that very value, else an exact one.
   * Infinite where it is out of range: beyond every double, or of more than 1,000 digits.
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

  /** As a text, for whoever writes JSON without `jsonText`: of another type, but no digit lost. */
  toJSON(): string {
    return mark + this.text;
  }
}

/** Whether a value is a number of either kind. */
export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Negative, zero or positive, as the one number is less than the other, the same, or greater. */
export function compareNumbers(one: number | ExactNumber, other: number | ExactNumber): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [left, right] = [digitsOf(one), digitsOf(other)];
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1;
  const order = compareDigits(left, right);
  return left.isNegative ? -order : order;
}

/** Writes JSON while exact numbers show a mark before their digits. */
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

/** Characters of a sign, a point and an exponent. */
const LONGEST_AROUND = 20;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** A number in plain digits; undefined where that would be too many of them, or where it is none. */
function plainDigits(literal: string): string | undefined {
  if (literal.length > MOST_DIGITS + LONGEST_AROUND) return undefined;
  const match = LITERAL.exec(literal);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  // How many digits stand before the point, where the significant ones begin right behind it.
  const point = digits.length - fraction.length + Number(exponent);
  const length = Math.max(significant.length, point, significant.length - point);
  if (length > MOST_DIGITS) return undefined;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${significant}`;
  if (point >= significant.length) return sign + significant.padEnd(point, '0');
  return `${sign}${significant.slice(0, point)}.${significant.slice(point)}`;
}
