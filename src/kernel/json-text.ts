/**
 * Converts between JSON and values without losing digits. Works like JSON.parse and JSON.stringify, but numbers that a
 * double cannot hold become ExactNumber. A text without such numbers costs one scan; a value without them costs
 * nothing.
 */
import { randomBytes } from 'node:crypto';
import { ExactNumber, withMark } from './exact-number.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LARGE_E = 0x45;
const SMALL_E = 0x65;

/**
 * Whether a JSON text may contain numbers that a double cannot hold exactly: a number of sixteen or more characters, or
 * one with a negative exponent of three digits. A double represents shorter numbers exactly; a number that is too large
 * becomes infinite, which `flawOf` reports. A match inside a string only costs time.
 */
export function mayHoldExactNumbers(json: string): boolean {
  return holdsLongNumber(json) || holdsTinyNumber(json, 'e-') || holdsTinyNumber(json, 'E-');
}

const LONG_NUMBER_LENGTH = 16;

/** Checks every sixteenth character: every run of sixteen digits contains one of them. */
function holdsLongNumber(json: string): boolean {
  for (let at = 0; at < json.length; at += LONG_NUMBER_LENGTH) {
    if (!isDigitOrPoint(json.charCodeAt(at))) continue;
    let start = at;
    while (isDigitOrPoint(json.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isDigitOrPoint(json.charCodeAt(end))) end++;
    if (end - start >= LONG_NUMBER_LENGTH && mayStartAt(json, start)) return true;
    at += Math.floor((end - at) / LONG_NUMBER_LENGTH) * LONG_NUMBER_LENGTH;
  }
  return false;
}

/** Whether a value, including its sign, may start at this position. */
function mayStartAt(json: string, position: number): boolean {
  const before = json.charAt(json.charAt(position - 1) === '-' ? position - 2 : position - 1);
  return before === '' || ':,[ \t\r\n'.includes(before);
}

function holdsTinyNumber(json: string, exponent: string): boolean {
  for (let at = json.indexOf(exponent); at !== -1; at = json.indexOf(exponent, at + 2))
    if ([at - 1, at + 2, at + 3, at + 4].every((position) => isDigitOrPoint(json.charCodeAt(position))))
      return true;
  return false;
}

const isDigitOrPoint = (code: number): boolean => (code >= ZERO && code <= NINE) || code === POINT;

/** A random mark. Input from outside the process cannot contain it. */
const MARK = `exact:${randomBytes(16).toString('hex')}:`;
const MARKED = new RegExp(`"${MARK}(-?[\\d.]+)"`, 'g');

/** Limits for numbers that a double may not hold exactly, because such a number is much more expensive to parse. */
export interface ExactNumberLimits {
  /** Maximum numbers to parse exactly. */
  readonly numbers: number;
  /** Maximum characters of exact numbers, written without exponents. */
  readonly characters: number;
}

/** Thrown if a text contains more long numbers than the caller allows. */
export class TooManyExactNumbers extends Error {
  override readonly name = 'TooManyExactNumbers';
}

/**
 * Parses a JSON text. A number beyond the range of a double, or of more than 1,000 digits, becomes infinite, as in
 * JSON.parse.
 * @param limits unlimited by default.
 * @throws SyntaxError if the text is not JSON; TooManyExactNumbers as soon as the text exceeds `limits`.
 */
export function parseJson(json: string, limits?: ExactNumberLimits): unknown {
  return mayHoldExactNumbers(json) ? parseExactly(json, limits) : JSON.parse(json);
}

/** Writes a value as JSON, as JSON.stringify does, with exact numbers as JSON numbers. */
export function jsonText(value: unknown): string {
  const json = withMark(MARK, () => JSON.stringify(value));
  // Only exact numbers write the mark, so a match is always one.
  return json?.includes(MARK) ? json.replace(MARKED, '$1') : json;
}

/** A number in the position of a value, not as a member name. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?=\s*(?:[,\]}]|$))/iy;

/** Replaces the numbers by marked strings, parses the text, and puts the numbers into the parsed value. */
function parseExactly(json: string, limits: ExactNumberLimits | undefined): unknown {
  const numbers: (number | ExactNumber)[] = [];
  let marked = '';
  let done = 0;
  let parsedCount = 0;
  let characters = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const start = at;
      const end = endOfNumber(json, start);
      at = end - 1;
      if (isPlainNumber(json, start, end)) continue;
      const literal = json.slice(start, end);
      const number = ExactNumber.from(literal);
      if (number instanceof ExactNumber) characters += number.text.length;
      if (limits && (++parsedCount > limits.numbers || characters > limits.characters))
        throw new TooManyExactNumbers();
      if (number === Number(literal)) continue;
      NUMBER.lastIndex = start;
      // Not a JSON number: let JSON.parse throw the error.
      if (NUMBER.exec(json)?.[0] !== literal) return JSON.parse(json);
      marked += `${json.slice(done, start)}"${MARK}${numbers.push(number) - 1}"`;
      done = end;
    }
  }
  if (done === 0) return JSON.parse(json);
  return withNumbers(JSON.parse(marked + json.slice(done)), numbers);
}

/** Smaller doubles have fewer significant digits than the fifteen of every normal double. */
const MIN_NORMAL = 2 ** -1022;

/**
 * Whether JSON.parse can handle the text from `start` to `end`, because the number is short, is written exactly as the
 * double prints, or exceeds every double.
 */
function isPlainNumber(json: string, start: number, end: number): boolean {
  const isLong = end - start >= LONG_NUMBER_LENGTH;
  if (!isLong && !holdsExponent(json, start, end)) return true;
  const literal = json.slice(start, end);
  const plain = Number(literal);
  if (!Number.isFinite(plain) || String(plain) === literal) return true;
  return !isLong && Math.abs(plain) >= MIN_NORMAL;
}

function holdsExponent(json: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isExponent(json.charCodeAt(at))) return true;
  return false;
}

/** The position after the characters from here on that could be part of a number. */
function endOfNumber(json: string, start: number): number {
  let end = start + 1;
  for (;;) {
    const code = json.charCodeAt(end);
    if (!isDigitOrPoint(code) && !isExponent(code) && code !== MINUS && code !== PLUS) return end;
    end++;
  }
}

const isExponent = (code: number): boolean => code === SMALL_E || code === LARGE_E;

type Container = Record<string | number, unknown>;

/** Replaces the marks in a value by their numbers. Changes the value in place, at any depth. */
function withNumbers(value: unknown, numbers: readonly (number | ExactNumber)[]): unknown {
  const whole: Container = { value };
  const open: Container[] = [whole];
  const visit = (container: Container, key: string | number): void => {
    const inner = container[key];
    if (typeof inner === 'string') {
      if (inner.startsWith(MARK)) container[key] = numbers[Number(inner.slice(MARK.length))];
    } else if (typeof inner === 'object' && inner !== null) open.push(inner as Container);
  };
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) for (let at = 0; at < container.length; at++) visit(container, at);
    else for (const key in container) visit(container, key);
  }
  return whole['value'];
}

/** The position of the closing quote of a string, or the end of the text if there is none. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
