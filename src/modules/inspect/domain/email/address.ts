/**
 * Classifies the address of a link or an image as written, with its expressions blanked. The value of an expression is
 * not known, so only the fixed parts are judged. No address is ever resolved or requested.
 */
import { CONTROL_FLOW_MARK, VALUE_MARK } from './blanked-source.js';
import { traitOf, type HostTrait } from './host.js';

export type Address =
  /** Unknown: an expression decides. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'anchor'; readonly id: string }
  | { readonly kind: 'relative'; readonly why: string }
  /** A scheme other than http and https; `scheme` in lower case, without the colon. */
  | { readonly kind: 'scheme'; readonly scheme: string; readonly rest: string }
  | { readonly kind: 'malformed'; readonly why: string }
  | {
      readonly kind: 'web';
      readonly secure: boolean;
      /** In the form of the URL standard; null if an expression decides about it. */
      readonly host: string | null;
      /** 443 or 80 if none is written. */
      readonly port: number;
      readonly trait: HostTrait | null;
      readonly credentials: boolean;
    };

/** Longer addresses are cut: faults show at the beginning. */
const MAX_ADDRESS_LENGTH = 4_000;

/** Every address that a value may become: each branch of a condition gives a separate address. */
export function readAddresses(value: string): Address[] {
  if (!value.includes(CONTROL_FLOW_MARK)) return [readAddress(value)];
  const pieces = value
    .split(new RegExp(`${CONTROL_FLOW_MARK}+`))
    .filter((piece) => /^\s*[a-z][a-z0-9+.-]*:/i.test(piece));
  return pieces.length > 0 ? pieces.slice(0, 20).map(readAddress) : [{ kind: 'unknown' }];
}

function readAddress(value: string): Address {
  // Like browsers, ignores what they ignore: `java<TAB>script:` counts as `javascript:`, and so do leading control
  // characters.
  const text = value
    .slice(0, MAX_ADDRESS_LENGTH)
    .replace(/[\t\n\r]/g, '')
    .replace(/^[^!-\uffff]+/, '')
    .trim();
  if (text === '') return { kind: 'empty' };
  if (text === '#') return { kind: 'empty' };
  if (text.startsWith('#'))
    return text.includes(VALUE_MARK) ? { kind: 'unknown' } : { kind: 'anchor', id: text.slice(1) };
  if (text.startsWith(VALUE_MARK)) return { kind: 'unknown' };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text);
  if (!scheme) return withoutScheme(text);
  const name = (scheme[1] ?? '').toLowerCase();
  const rest = text.slice(scheme[0].length);
  if (name !== 'http' && name !== 'https') {
    // `acme.com:8080/x` and `localhost:3000` begin like a scheme.
    if (/^\d+(\/|$)/.test(rest)) return withoutScheme(text);
    return { kind: 'scheme', scheme: name, rest };
  }
  return readWeb(text, name === 'https', rest);
}

function withoutScheme(text: string): Address {
  if (text.startsWith('//'))
    return { kind: 'relative', why: 'starts with // and therefore has no scheme in an email' };
  if (/^(https?|htp|htps|ttps?)(;|\/\/|\b[/:])/i.test(text)) {
    return { kind: 'malformed', why: 'has a misspelled scheme' };
  }
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+([/:?#]|$)/i.test(text)) {
    return { kind: 'relative', why: 'does not start with https://' };
  }
  return { kind: 'relative', why: 'is relative, which does not work in an email' };
}

function readWeb(text: string, secure: boolean, rest: string): Address {
  if (!rest.startsWith('//')) return { kind: 'malformed', why: 'lacks the two slashes after its scheme' };
  const authority = /^\/\/([^/?#\\]*)/.exec(rest)?.[1] ?? '';
  if (authority === '') return { kind: 'malformed', why: 'has no host' };
  const credentials = authority.includes('@');
  const usualPort = secure ? 443 : 80;
  if (authority.includes(VALUE_MARK))
    return { kind: 'web', secure, host: null, port: usualPort, trait: null, credentials };
  // After the host, browsers encode a space; that is reported by another rule.
  if (/\s/.test(authority)) return { kind: 'malformed', why: 'contains a space' };
  const parsed = parseUrl(text.replaceAll(VALUE_MARK, 'x'));
  if (!parsed) return { kind: 'malformed', why: 'is not a valid URL' };
  const host = parsed.hostname;
  if (/^https?$/.test(host) || /\.\.|^\.|^-/.test(host)) {
    return { kind: 'malformed', why: `has ${host || 'nothing'} as its host` };
  }
  const written = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  const port = parsed.port === '' ? usualPort : Number(parsed.port);
  return { kind: 'web', secure, host, port, trait: traitOf(host, written), credentials };
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
