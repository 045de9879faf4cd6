/**
 * JSON to values and back without a digit lost: JSON.parse and JSON.stringify, but for numbers that a double cannot
 * hold, which are ExactNumber in between. Texts without such numbers cost one look, values without them nothing.
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
 * Whether a JSON text may hold numbers that a double does not, or not quite: of sixteen characters or more, or with a
 * negative exponent of three digits. What has fewer digits a double tells apart; what is too large is infinite in it,
 * which `flawOf` tells. That such a number may stand inside of a text costs time and nothing else.
 */
export function mayHoldExactNumbers(json: string): boolean {
  return holdsLongNumber(json) || holdsTinyNumber(json, 'e-') || holdsTinyNumber(json, 'E-');
}

const LONG = 16;

/** Looks at every sixteenth character: no run of sixteen digits lies between two of them. */
function holdsLongNumber(json: string): boolean {
  for (let at = 0; at < json.length; at += LONG) {
    if (!isDigitOrPoint(json.charCodeAt(at))) continue;
    let start = at;
    while (isDigitOrPoint(json.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isDigitOrPoint(json.charCodeAt(end))) end++;
    if (end - start >= LONG && mayBeginAt(json, start)) return true;
    at += Math.floor((end - at) / LONG) * LONG;
  }
  return false;
}

/** Whether the place is one where a value may begin, sign included. */
function mayBeginAt(json: string, place: number): boolean {
  const before = json.charAt(json.charAt(place - 1) === '-' ? place - 2 : place - 1);
  return before === '' || ':,[ \t\r\n'.includes(before);
}

function holdsTinyNumber(json: string, exponent: string): boolean {
  for (let at = json.indexOf(exponent); at !== -1; at = json.indexOf(exponent, at + 2))
    if ([at - 1, at + 2, at + 3, at + 4].every((place) => isDigitOrPoint(json.charCodeAt(place))))
      return true;
  return false;
}

const isDigitOrPoint = (code: number): boolean => (code >= ZERO && code <= NINE) || code === POINT;

/** Nobody outside of this process can know it, so no text from outside has it. */
const MARK = `exact:${randomBytes(16).toString('hex')}:`;
const MARKED = new RegExp(`"${MARK}(-?[\\d.]+)"`, 'g');

/** How many digits a text may hold that a double does not tell at once: such a number costs as much as many others. */
export interface ExactBounds {
  /** Numbers that are taken apart to find out. */
  readonly numbers: number;
  /** Characters of exact numbers, written out without exponents. */
  readonly characters: number;
}

/** A text holds more long numbers than whoever reads it allows. */
export class TooManyExactNumbers extends Error {
  override readonly name = 'TooManyExactNumbers';
}

/**
 * The value of a JSON text. A number beyond every double, or of more than 1,000 digits, is infinite, as in JSON.parse.
 * @param most without end by default.
 * @throws SyntaxError when the text is no JSON; TooManyExactNumbers as soon as there are more than `most`.
 */
export function parseJson(json: string, most?: ExactBounds): unknown {
  return mayHoldExactNumbers(json) ? parseExactly(json, most) : JSON.parse(json);
}

/** The JSON of a value, as JSON.stringify gives it, with exact numbers as numbers. */
export function jsonText(value: unknown): string {
  const json = withMark(MARK, () => JSON.stringify(value));
  // A marked number is all that can hold the mark.
  return json?.includes(MARK) ? json.replace(MARKED, '$1') : json;
}

/** A number where one may stand: not as the name of a member. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?=\s*(?:[,\]}]|$))/iy;

/** Texts that stand for the numbers take their place, and give it back in the parsed value. */
function parseExactly(json: string, most: ExactBounds | undefined): unknown {
  const numbers: (number | ExactNumber)[] = [];
  let marked = '';
  let done = 0;
  let takenApart = 0;
  let characters = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const start = at;
      const end = endOfNumber(json, start);
      at = end - 1;
      if (isKnown(json, start, end)) continue;
      const literal = json.slice(start, end);
      const number = ExactNumber.from(literal);
      if (number instanceof ExactNumber) characters += number.text.length;
      if (most && (++takenApart > most.numbers || characters > most.characters))
        throw new TooManyExactNumbers();
      if (number === Number(literal)) continue;
      NUMBER.lastIndex = start;
      // No number of JSON: left for the parser to refuse.
      if (NUMBER.exec(json)?.[0] !== literal) return JSON.parse(json);
      marked += `${json.slice(done, start)}"${MARK}${numbers.push(number) - 1}"`;
      done = end;
    }
  }
  if (done === 0) return JSON.parse(json);
  return withNumbers(JSON.parse(marked + json.slice(done)), numbers);
}

/** Smaller ones have fewer digits than the fifteen that every other double keeps. */
const LEAST_NORMAL = 2 ** -1022;

/**
 * Whether JSON.parse may be left to make its number, or its error, of what stands from `start` to `end`: it is short, or
 * written as a double is, or beyond all of them.
 */
function isKnown(json: string, start: number, end: number): boolean {
  const isLong = end - start >= LONG;
  if (!isLong && !holdsExponent(json, start, end)) return true;
  const literal = json.slice(start, end);
  const plain = Number(literal);
  if (!Number.isFinite(plain) || String(plain) === literal) return true;
  return !isLong && Math.abs(plain) >= LEAST_NORMAL;
}

function holdsExponent(json: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isExponent(json.charCodeAt(at))) return true;
  return false;
}

/** The place behind what could be a number from here on. */
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

/** The value with its numbers put where their marks stand; it is changed, not copied, and as deep as it likes. */
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

/** The place of the quote that ends a text, or the end where none does. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
