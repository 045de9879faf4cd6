/**
 * Brings contacts up to date as a set, inside a caller's transaction: those that are unknown are created, changes
 * are merged in the order in which they came, and only what really changed is written.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { newContact, type Contact, type ContactChanges } from '../domain/contact.js';
import { mergeContact, type MergedContact } from '../domain/merge-contact.js';
import { ContactRepository } from '../persistence/contact.repository.js';

/** What is to be merged, by external_id; an empty list only asks for the contact to exist. */
export type ChangesByContact = ReadonlyMap<string, readonly ContactChanges[]>;

export interface UpsertedContact {
  readonly contact: Contact;
  readonly created: boolean;
  readonly updatedFields: readonly string[];
}

@Injectable()
export class ContactUpserts {
  constructor(private readonly contacts: ContactRepository) {}

  /** Creates and merges; gives every contact that was asked for, by external_id. */
  async apply(
    tx: Transaction,
    scope: TenantScope,
    wanted: ChangesByContact,
    now: Date,
  ): Promise<Map<string, UpsertedContact>> {
    const ids = [...wanted.keys()];
    const known = byExternalId(await this.contacts.find(tx, scope, 'external_id', ids, false));
    const fresh = ids.filter((id) => !known.has(id)).map((id) => newContact(uuidv7(now.getTime()), id, now));
    const created = await this.contacts.insert(tx, scope, fresh);
    for (const contact of fresh)
      if (created.has(contact.external_id)) known.set(contact.external_id, contact);

    // Read again, with a lock, what is to be changed, and what somebody else created at the same moment.
    const again = ids.filter((id) => !known.has(id) || (wanted.get(id)?.length ?? 0) > 0);
    for (const contact of await this.contacts.find(tx, scope, 'external_id', again, true))
      known.set(contact.external_id, contact);

    const result = new Map<string, UpsertedContact>();
    const changed: Contact[] = [];
    for (const [externalId, before] of known) {
      const { contact, updatedFields } = mergeAll(before, wanted.get(externalId) ?? [], now);
      if (contact !== before) changed.push(contact);
      result.set(externalId, { contact, created: created.has(externalId), updatedFields });
    }
    await this.contacts.update(tx, scope, changed);
    return result;
  }
}

function byExternalId(contacts: readonly Contact[]): Map<string, Contact> {
  return new Map(contacts.map((contact) => [contact.external_id, contact]));
}

function mergeAll(before: Contact, changes: readonly ContactChanges[], now: Date): MergedContact {
  const updatedFields = new Set<string>();
  let contact = before;
  for (const change of changes) {
    const merged = mergeContact(contact, change, now);
    contact = merged.contact;
    for (const field of merged.updatedFields) updatedFields.add(field);
  }
  return { contact, updatedFields: [...updatedFields] };
}
