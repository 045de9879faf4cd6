/**
 * Addresses of people as they are shown to those who may not read contacts, section 2.1: enough is left to see that
 * there is one. Email addresses are found wherever a text holds them; of phone numbers, which look like any other
 * number, that of the contact is known.
 *
 * Texts may be long and hostile, so they are looked through from one `@` to the next, and never by a pattern that
 * could begin anywhere.
 */

/** Longest parts of an address that are looked for before and behind its `@`. */
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
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = startOf(text, at, done);
    const end = endOf(text, at);
    const domain = text.slice(at + 1, end);
    const dot = domain.lastIndexOf('.');
    // A quoted local part ends in what no other does; `@handle` is a name.
    if (domain === '' || (start === at && dot < 0)) continue;
    masked += `${text.slice(done, start)}${first(text.slice(start, at))}${MASK}@${first(domain)}${MASK}${dot > 0 ? domain.slice(dot) : ''}`;
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
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) === Date.prototype)
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [maskEmails(key), mask(inner)]));
  };
  return (value) => mask(value) as typeof value;
}

/** Where the address around the `@` begins; `at` when it has nothing before it. */
function startOf(text: string, at: number, done: number): number {
  const least = Math.max(done, at - LONGEST_LOCAL);
  let start = at;
  while (start > least && BEFORE.test(text.charAt(start - 1))) start--;
  return start;
}

function endOf(text: string, at: number): number {
  const most = Math.min(text.length, at + 1 + LONGEST_DOMAIN);
  let end = at + 1;
  while (end < most && BEHIND.test(text.charAt(end))) end++;
  // A full stop behind the address ends the sentence.
  while (end > at + 1 && /[.-]/.test(text.charAt(end - 1))) end--;
  return end;
}

function first(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
