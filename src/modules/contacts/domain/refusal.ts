/**
 * Refusals of mail: a person who has unsubscribed stays so, whatever is deleted, erased or made anew. A refusal holds
 * for an identifier and for an address each by itself, until the person comes back (sections 2.11 and 4.8).
 */
import { domainToASCII, domainToUnicode } from 'node:url';
import type { Contact } from './contact.js';

/** One of the names under which a contact may have refused mail. */
export interface RefusableName {
  readonly kind: 'identifier' | 'address';
  readonly text: string;
}

/** The names of a contact, each as it is compared. */
export function namesOf({ externalId, email }: Pick<Contact, 'externalId' | 'email'>): RefusableName[] {
  return [{ kind: 'identifier', text: externalId }, ...namesOfAddress(email)];
}

/** The one name that an address is, as it is compared; none where there is no address. */
export function namesOfAddress(email: string | null): RefusableName[] {
  const text = addressKey(email ?? '');
  return text === '' ? [] : [{ kind: 'address', text }];
}

/** Whether an email went to the address that the contact has now. */
export function isPresentAddress({ email }: Pick<Contact, 'email'>, sentTo: string | null): boolean {
  const [present, left] = [...namesOfAddress(email), ...namesOfAddress(sentTo)];
  return present !== undefined && present.text === left?.text;
}

/** One text for all spellings under which mail reaches the same mailbox: letter case, and domains that are no ASCII. */
function addressKey(email: string): string {
  const text = email.trim();
  const at = text.lastIndexOf('@') + 1;
  return (text.slice(0, at) + (domainToASCII(text.slice(at)) || text.slice(at))).toLowerCase();
}

/** The spellings of an address in small letters, as contacts may have it, of the name that it is. */
export function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return [...new Set([address, address.slice(0, at) + (domainToUnicode(domain) || domain).toLowerCase()])];
}

/** A contact before and after what happens to it, and which of its fields that changes. */
export interface ContactChange {
  /** Undefined for a contact that is new. */
  readonly before: Contact | undefined;
  readonly contact: Contact;
  readonly updatedFields: readonly string[];
}

/**
 * Whether a change makes a contact one that mail may go to at a name where it could not before: it is new, comes back
 * from deletion, or has another address. Only then may an earlier refusal be news.
 */
export function takesName({ before, contact }: ContactChange): boolean {
  if (contact.subscriptionStatus !== 'subscribed') return false;
  return before?.subscriptionStatus !== 'subscribed' || before.email !== contact.email;
}

/** The change to a contact of whom is known that the identifier or the address refused mail. */
export function heeding<Change extends ContactChange>(change: Change): Change {
  return {
    ...change,
    contact: { ...change.contact, subscriptionStatus: 'unsubscribed' },
    updatedFields: [...new Set([...change.updatedFields, 'subscriptionStatus'])],
  };
}
