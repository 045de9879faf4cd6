/**
 * Masks addresses for people who may not read contacts, section 2.1: enough is left to see that there is one. It
 * finds email addresses anywhere in a text, also as links and markup encode them; of phone numbers, only the
 * contact's own. Texts may be long and hostile, so it scans from one `@` to the next, never with a pattern that could
 * match anywhere.
 */
import { ExactNumber } from '../../../kernel/exact-number.js';

/** The at sign, its East Asian wide forms, and its encodings in links, markup and JSON inside texts. */
const AT_SIGN = /@|\uff20|\ufe6b|%(?:25)*40|&(?:#0*64(?!\d);?|#x0*40(?![\da-f]);?|commat;)|\\u0040/gi;
/** Any other character as links and markup encode it. */
const ESCAPE = /%[\da-f]{2}|&#x?[\da-f]{1,8};/iy;
const TRAILING_ESCAPE = /(?:%[\da-f]{2}|&#x?[\da-f]{1,8};)$/i;
const MAX_ESCAPE_LENGTH = 12;

/** Maximum length of the parts of an address before and after its `@`; an escape counts as one character. */
const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 255;
const LOCAL_CHARACTER = /[^\s@<>"(),:;[\]\\]/;
const DOMAIN_CHARACTER = /[\p{L}\p{N}.-]/u;
/** Shorter texts are unlikely to be a phone number. */
const MIN_PHONE_DIGITS = 5;
const PHONE_PATTERN = /^[\d\s()+./-]{5,40}$/;
const MASK = '***';

/** `ada@example.com` becomes `a***@e***.com`; masks every address in the text. */
export function maskEmails(text: string): string {
  let masked = '';
  let copiedUntil = 0;
  /** End of the last match: nothing is scanned twice. */
  let scannedUntil = 0;
  for (const { 0: sign, index: index } of text.matchAll(AT_SIGN)) {
    if (index < copiedUntil) continue;
    const domainStart = index + sign.length;
    const start = startOf(text, index, Math.max(copiedUntil, scannedUntil));
    const end = endOf(text, domainStart);
    scannedUntil = domainStart;
    const domain = text.slice(domainStart, end);
    const dot = domain.lastIndexOf('.');
    // Only a quoted local part may end in this character; `@handle` is a name.
    if (domain === '' || (start === index && dot < 0)) continue;
    masked += `${text.slice(copiedUntil, start)}${first(text.slice(start, index))}${MASK}${sign}${first(domain)}${MASK}${dot > 0 ? domain.slice(dot) : ''}`;
    copiedUntil = end;
  }
  return masked + text.slice(copiedUntil);
}

/** `+44 20 7946 0958` becomes `***58`. */
export function maskPhone(phone: string): string {
  const digits = digitsOf(phone);
  return digits.length < MIN_PHONE_DIGITS ? MASK : `${MASK}${digits.slice(-2)}`;
}

/**
 * Returns a function that masks all that is shown of a contact and its events. The result has the same shape, and its
 * texts contain no address.
 * @param phone the contact's; a text or number that equals it is masked.
 */
export function maskerFor(phone: string | null): <Value>(value: Value) => Value {
  const digits = digitsOf(phone ?? '');
  const isPhone = (text: string): boolean =>
    digits.length >= MIN_PHONE_DIGITS &&
    (text === phone || (PHONE_PATTERN.test(text) && digitsOf(text) === digits));
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

/** Start of the address around the sign at `at`, not before `scannedUntil`; `at` if nothing precedes the sign. */
function startOf(text: string, at: number, scannedUntil: number): number {
  let start = quoteBefore(text, at, scannedUntil);
  if (start < at) return start;
  for (let length = 0; length < MAX_LOCAL_LENGTH && start > scannedUntil; length++) {
    const mayEscape = text.charAt(start - 1) === ';' || text.charAt(start - 3) === '%';
    const nearest = mayEscape ? text.slice(Math.max(scannedUntil, start - MAX_ESCAPE_LENGTH), start) : '';
    const [escape] = TRAILING_ESCAPE.exec(nearest) ?? [];
    if (escape !== undefined) start -= escape.length;
    else if (LOCAL_CHARACTER.test(text.charAt(start - 1))) start--;
    else break;
  }
  return start;
}

/** Start of the quoted local part before `at` (`"john doe"@example.com`); `at` if there is none. */
function quoteBefore(text: string, at: number, scannedUntil: number): number {
  if (text.charAt(at - 1) !== '"') return at;
  const opening = text.lastIndexOf('"', at - 2);
  const isPair = opening >= 0 && opening < at - 1;
  return isPair && opening >= Math.max(scannedUntil, at - MAX_LOCAL_LENGTH) ? opening : at;
}

/** End of the domain that begins at `start`. */
function endOf(text: string, start: number): number {
  let end = start;
  for (let length = 0; length < MAX_DOMAIN_LENGTH && end < text.length; length++) {
    ESCAPE.lastIndex = end;
    const [escape] = ESCAPE.exec(text) ?? [];
    if (escape !== undefined && !isAt(escape)) end += escape.length;
    else if (DOMAIN_CHARACTER.test(text.charAt(end))) end++;
    else break;
  }
  // A full stop after the address ends the sentence.
  while (end > start && /[.-]/.test(text.charAt(end - 1))) end--;
  return end;
}

function isAt(escape: string): boolean {
  return escape.search(AT_SIGN) === 0;
}

/** The first character, which may be shown; empty for an escape. */
function first(text: string): string {
  return /^[%&]/.test(text) ? '' : ([...text.slice(0, 2)][0] ?? '');
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
