/**
 * Opt-outs: a person who has unsubscribed stays so, even if contacts are deleted, erased or created again. An
 * identifier and an address each have their own opt-out, until the person opts in again (sections 2.11 and 4.8).
 */
import { domainToASCII, domainToUnicode } from 'node:url';
import type { Contact } from './contact.js';

/** An identifier or address that may have opted out. */
export interface OptOutName {
  readonly kind: 'identifier' | 'address';
  readonly text: string;
}

/** The names of a contact, normalised for comparison. */
export function namesOf({ externalId, email }: Pick<Contact, 'externalId' | 'email'>): OptOutName[] {
  return [{ kind: 'identifier', text: externalId }, ...namesOfAddress(email)];
}

/** The name for an address, normalised for comparison; empty without an address. */
export function namesOfAddress(email: string | null): OptOutName[] {
  const text = addressKey(email ?? '');
  return text === '' ? [] : [{ kind: 'address', text }];
}

/** Whether an email was sent to the contact's current address. */
export function isCurrentAddress({ email }: Pick<Contact, 'email'>, sentTo: string | null): boolean {
  const [current, sentToName] = [...namesOfAddress(email), ...namesOfAddress(sentTo)];
  return current !== undefined && current.text === sentToName?.text;
}

/** Normalises all spellings that reach the same mailbox to one text: letter case, and domains that are not ASCII. */
function addressKey(email: string): string {
  const text = email.trim();
  const at = text.lastIndexOf('@') + 1;
  return (text.slice(0, at) + (domainToASCII(text.slice(at)) || text.slice(at))).toLowerCase();
}

/** All lower-case spellings that contacts may have for a normalised address. */
export function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return [...new Set([address, address.slice(0, at) + (domainToUnicode(domain) || domain).toLowerCase()])];
}

/** A contact before and after a change, and the fields that changed. */
export interface ContactChange {
  /** Undefined for a new contact. */
  readonly before: Contact | undefined;
  readonly contact: Contact;
  readonly updatedFields: readonly string[];
}

/**
 * Whether the change allows mail to a name that could not get it before: the contact is new, was revived, or has
 * another address. Only then can an earlier opt-out matter.
 */
export function newlyAllowsMail({ before, contact }: ContactChange): boolean {
  if (contact.subscriptionStatus !== 'subscribed') return false;
  return before?.subscriptionStatus !== 'subscribed' || before.email !== contact.email;
}

/** The change to a contact whose identifier or address is known to have opted out. */
export function unsubscribing<Change extends ContactChange>(change: Change): Change {
  return {
    ...change,
    contact: { ...change.contact, subscriptionStatus: 'unsubscribed' },
    updatedFields: [...new Set([...change.updatedFields, 'subscriptionStatus'])],
  };
}
