/**
 * Addresses of people as they are shown to those who may not read contacts, section 2.1: enough is left to see that
 * there is one. Email addresses are found wherever a text holds them, also as links and markup spell them; of phone
 * numbers, which look like any other number, that of the contact is known.
 *
 * Texts may be long and hostile, so they are looked through from one `@` to the next, and never by a pattern that
 * could begin anywhere.
 */
import { ExactNumber } from '../../../kernel/exact-number.js';

/** The sign itself, in the width of East Asian scripts, and as links, markup and JSON within texts write it. */
const AT = /@|\uff20|\ufe6b|%(?:25)*40|&(?:#0*64(?!\d);?|#x0*40(?![\da-f]);?|commat;)|\\u0040/gi;
/** Any other sign as links and markup write it. */
const ESCAPE = /%[\da-f]{2}|&#x?[\da-f]{1,8};/iy;
const ESCAPE_BEHIND = /(?:%[\da-f]{2}|&#x?[\da-f]{1,8};)$/i;
const LONGEST_ESCAPE = 12;

/** Longest parts of an address that are looked for before and behind its `@`; an escape is one sign of many. */
const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 255;
const BEFORE = /[^\s@<>"(),:;[\]\\]/;
const BEHIND = /[\p{L}\p{N}.-]/u;
/** Fewer digits are hardly anybody's number. */
const FEWEST_DIGITS = 5;
const NUMBER = /^[\d\s()+./-]{5,40}$/;
const MASK = '***';

/** `ada@example.com` as `a***@e***.com`; every address in the text. */
export function maskEmails(text: string): string {
  let masked = '';
  let done = 0;
  /** Where the last sign ended: nothing is looked through twice. */
  let floor = 0;
  for (const { 0: sign, index: at } of text.matchAll(AT)) {
    if (at < done) continue;
    const behind = at + sign.length;
    const start = startOf(text, at, Math.max(done, floor));
    const end = endOf(text, behind);
    floor = behind;
    const domain = text.slice(behind, end);
    const dot = domain.lastIndexOf('.');
    // A quoted local part ends in what no other does; `@handle` is a name.
    if (domain === '' || (start === at && dot < 0)) continue;
    masked += `${text.slice(done, start)}${first(text.slice(start, at))}${MASK}${sign}${first(domain)}${MASK}${dot > 0 ? domain.slice(dot) : ''}`;
    done = end;
  }
  return masked + text.slice(done);
}

/** `+44 20 7946 0958` as `***58`. */
export function maskPhone(phone: string): string {
  const digits = digitsOf(phone);
  return digits.length < FEWEST_DIGITS ? MASK : `${MASK}${digits.slice(-2)}`;
}

/**
 * What masks all that is shown of a contact and its events: a value of the same shape whose texts hold no address.
 * @param phone the contact's; it is masked where a text, or a number, is that number and nothing else.
 */
export function maskerFor(phone: string | null): <Value>(value: Value) => Value {
  const digits = digitsOf(phone ?? '');
  const isPhone = (text: string): boolean =>
    digits.length >= FEWEST_DIGITS && (text === phone || (NUMBER.test(text) && digitsOf(text) === digits));
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return isPhone(value) ? maskPhone(value) : maskEmails(value);
    if (typeof value === 'number') return isPhone(String(value)) ? maskPhone(String(value)) : value;
    if (value instanceof ExactNumber) return isPhone(value.text) ? maskPhone(value.text) : value;
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) === Date.prototype)
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [maskEmails(key), mask(inner)]));
  };
  return (value) => mask(value) as typeof value;
}

/** Where the address around the sign at `at` begins, not before `floor`; `at` when it has nothing before it. */
function startOf(text: string, at: number, floor: number): number {
  let start = quoteBefore(text, at, floor);
  if (start < at) return start;
  for (let signs = 0; signs < LONGEST_LOCAL && start > floor; signs++) {
    const mayEscape = text.charAt(start - 1) === ';' || text.charAt(start - 3) === '%';
    const nearest = mayEscape ? text.slice(Math.max(floor, start - LONGEST_ESCAPE), start) : '';
    const [escape] = ESCAPE_BEHIND.exec(nearest) ?? [];
    if (escape !== undefined) start -= escape.length;
    else if (BEFORE.test(text.charAt(start - 1))) start--;
    else break;
  }
  return start;
}

/** Where the quoted local part before `at` begins (`"john doe"@example.com`); `at` when there is none. */
function quoteBefore(text: string, at: number, floor: number): number {
  if (text.charAt(at - 1) !== '"') return at;
  const opening = text.lastIndexOf('"', at - 2);
  const isPair = opening >= 0 && opening < at - 1;
  return isPair && opening >= Math.max(floor, at - LONGEST_LOCAL) ? opening : at;
}

/** Where the domain that begins at `start` ends. */
function endOf(text: string, start: number): number {
  let end = start;
  for (let signs = 0; signs < LONGEST_DOMAIN && end < text.length; signs++) {
    ESCAPE.lastIndex = end;
    const [escape] = ESCAPE.exec(text) ?? [];
    if (escape !== undefined && !isAt(escape)) end += escape.length;
    else if (BEHIND.test(text.charAt(end))) end++;
    else break;
  }
  // A full stop behind the address ends the sentence.
  while (end > start && /[.-]/.test(text.charAt(end - 1))) end--;
  return end;
}

function isAt(escape: string): boolean {
  return escape.search(AT) === 0;
}

/** The first sign as it may be seen; of an escape nothing. */
function first(text: string): string {
  return /^[%&]/.test(text) ? '' : ([...text.slice(0, 2)][0] ?? '');
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
