/** What an address and a mailbox (display name and address) look like on the wire. */
import { domainToASCII } from 'node:url';
import { isEmailAddress } from '../../../kernel/email-address.js';

export interface Mailbox {
  readonly address: string;
  /** Display name; empty when there is none. */
  readonly name: string;
}

/** As a number of any base is spelt by then. */
const IP_ADDRESS = /^\d+(?:\.\d+){3}$/;

/**
 * The address with its domain in lower case and in ASCII; undefined when the text is no plain address such as
 * `local@example.com`, or its domain a number, which would be read as a machine's. What it gives holds neither white space nor control characters nor brackets.
 */
export function normalAddress(text: string): string | undefined {
  if (!isEmailAddress(text)) return undefined;
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1)).toLowerCase();
  return domain === '' || IP_ADDRESS.test(domain) ? undefined : `${text.slice(0, at)}@${domain}`;
}

/** The domain of an address, as it is written there. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** The address at another domain. */
export function atDomain(address: string, domain: string): string {
  return `${address.slice(0, address.lastIndexOf('@'))}@${domain}`;
}
