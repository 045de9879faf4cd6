/** Which names may be a workspace's sending domain, and how they are written. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain, getPublicSuffix } from 'tldts';

/** Room is left for what stands before it in the names of its records. */
const LONGEST = 200;
/** Letters of any language; what else is turned into a name by leaving out or decoding is not what was meant. */
const NAME = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Registries and hosts under which strangers have names side by side (github.io) count alike. */
const SUFFIXES = { allowPrivateDomains: true, validateHostname: false } as const;

export type ReadDomainName =
  | { readonly kind: 'name'; readonly name: string }
  /** `message` says what the name must be, behind the name of its field. */
  | { readonly kind: 'refused'; readonly message: string };

const refused = (message: string): ReadDomainName => ({ kind: 'refused', message });

/** The domain in lower case and in ASCII, as addresses have it; a dot at its end is left out. */
export function readDomainName(text: string): ReadDomainName {
  const written = text.trim();
  const name = NAME.test(written) ? domainToASCII(written).toLowerCase().replace(/\.$/, '') : '';
  const labels = name.split('.');
  // What ends in a number is an address, however it is written.
  if (!labels.every((label) => LABEL.test(label)) || /^\d+$/.test(labels.at(-1) ?? ''))
    return refused('must be a domain, such as example.com');
  if (name.length > LONGEST) return refused(`must have at most ${LONGEST} characters`);
  if (getPublicSuffix(name, SUFFIXES) === name)
    return refused('must be your own domain, not a public suffix such as co.uk');
  return { kind: 'name', name };
}

/** Whether one is the other or lies beneath it. */
export function isWithin(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** The registered domain that the name is of: example.com of news.example.com. */
export function organisationOf(name: string): string {
  return getDomain(name, SUFFIXES) ?? name;
}

/** The name as people read it. */
export function readableName(name: string): string {
  return domainToUnicode(name) || name;
}
