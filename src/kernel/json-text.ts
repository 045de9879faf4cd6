/**
 * JSON to values and back without a digit lost: JSON.parse and JSON.stringify, but for numbers that a double cannot
 * hold, which are ExactNumber in between. Texts without such numbers cost one look, values without them nothing.
 */
import { randomBytes } from 'node:crypto';
import { ExactNumber, withMark } from './exact-number.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

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

/**
 * The value of a JSON text. A number beyond every double, or of more than 1,000 digits, is infinite, as in JSON.parse.
 * @throws SyntaxError when the text is no JSON.
 */
export function parseJson(json: string): unknown {
  return mayHoldExactNumbers(json) ? parseExactly(json) : JSON.parse(json);
}

/** The JSON of a value, as JSON.stringify gives it, with exact numbers as numbers. */
export function jsonText(value: unknown): string {
  const json = withMark(MARK, () => JSON.stringify(value));
  // A marked number is all that can hold the mark.
  return json?.includes(MARK) ? json.replace(MARKED, '$1') : json;
}

/** A number where one may stand: not as the name of a member. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?=\s*(?:[,\]}]|$))/iy;

function parseExactly(json: string): unknown {
  let marked = '';
  let done = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(json)?.[0];
      // No number of JSON: left for the parser to refuse.
      if (literal === undefined) return JSON.parse(json);
      if (ExactNumber.from(literal) !== Number(literal)) {
        marked += `${json.slice(done, at)}"${MARK}${literal}"`;
        done = at + literal.length;
      }
      at += literal.length - 1;
    }
  }
  if (done === 0) return JSON.parse(json);
  return JSON.parse(marked + json.slice(done), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? ExactNumber.from(value.slice(MARK.length)) : value,
  );
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
