/** The wire format of addresses and mailboxes (display name and address). */
import { domainToASCII } from 'node:url';
import { isEmailAddress } from '../../../kernel/email-address.js';

export interface Mailbox {
  readonly address: string;
  /** Display name; empty when there is none. */
  readonly name: string;
}

/** domainToASCII converts a number in any base to this form. */
const IP_ADDRESS = /^\d+(?:\.\d+){3}$/;

/**
 * Returns the address with its domain in lower case and in ASCII. Undefined if the text is not a plain address such as
 * `local@example.com`, or if its domain is a number, which would be read as an IP address. The result contains no white
 * space, control characters or brackets.
 */
export function normalAddress(text: string): string | undefined {
  if (!isEmailAddress(text)) return undefined;
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1)).toLowerCase();
  return domain === '' || IP_ADDRESS.test(domain) ? undefined : `${text.slice(0, at)}@${domain}`;
}

/** The domain of an address, as written. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** The address with another domain. */
export function atDomain(address: string, domain: string): string {
  return `${address.slice(0, address.lastIndexOf('@'))}@${domain}`;
}
