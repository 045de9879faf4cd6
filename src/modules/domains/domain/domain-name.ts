/** Decides which names may be a workspace's sending domain, and normalizes them. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain, getPublicSuffix } from 'tldts';

/** Leaves space for the prefixes of its record names. */
const MAX_NAME_CHARS = 200;
/**
 * Letters of any language. Other input could become a name by dropping or decoding characters, but not the name that
 * was meant.
 */
const NAME = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Treats hosts under which unrelated parties have names (github.io) like registries. */
const SUFFIXES = { allowPrivateDomains: true, validateHostname: false } as const;

export type ReadDomainName =
  | { readonly kind: 'name'; readonly name: string }
  /** `message` says what the name must be; it follows the name of the field. */
  | { readonly kind: 'refused'; readonly message: string };

const refused = (message: string): ReadDomainName => ({ kind: 'refused', message });

/** The domain in lower case and in ASCII, as in addresses; a trailing dot is removed. */
export function readDomainName(text: string): ReadDomainName {
  const written = text.trim();
  const name = NAME.test(written) ? domainToASCII(written).toLowerCase().replace(/\.$/, '') : '';
  const labels = name.split('.');
  // A name that ends in a number is an IP address, in any notation.
  if (!labels.every((label) => LABEL.test(label)) || /^\d+$/.test(labels.at(-1) ?? ''))
    return refused('must be a domain, such as example.com');
  if (name.length > MAX_NAME_CHARS) return refused(`must have at most ${MAX_NAME_CHARS} characters`);
  if (getPublicSuffix(name, SUFFIXES) === name)
    return refused('must be your own domain, not a public suffix such as co.uk');
  return { kind: 'name', name };
}

/** Whether `name` equals `other` or is a subdomain of it. */
export function isWithin(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** The registered domain of the name: example.com for news.example.com. */
export function organisationOf(name: string): string {
  return getDomain(name, SUFFIXES) ?? name;
}

/** The name in Unicode, for display. */
export function readableName(name: string): string {
  return domainToUnicode(name) || name;
}
