/**
 * Contacts for the modules above, inside their transaction and as sets: looked up, kept from changing, stored. Nobody
 * else stores a contact, so that whoever listens hears of every change.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { growContact } from '../domain/contact-growth.js';
import type { Contact, ContactChanges } from '../domain/contact.js';
import type { ContactChange } from '../domain/refusal.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactChangesListener } from './contact-changes.listener.js';
import { Refusals } from './refusals.js';

@Injectable()
export class KnownContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly refusals: Refusals,
    private readonly listener: ContactChangesListener,
  ) {}

  /** The contacts that there are of these ids or external_ids, deleted ones among them, in any order. */
  async find(
    tx: Transaction,
    scope: TenantScope,
    key: 'id' | 'externalId',
    values: readonly string[],
  ): Promise<Contact[]> {
    return this.contacts.find(tx, scope, key, values, false);
  }

  /** The external_ids of contacts, by id: what a list shows of each. */
  async externalIds(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.contacts.externalIds(tx, scope, ids);
  }

  /** Those of the contacts that exist, whatever their status. */
  async existing(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.contacts.existing(tx, scope, ids);
  }

  /** Those of the contacts that exist, with the bytes that reading each would cost: batches are cut by them. */
  async weigh(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    return this.contacts.weigh(tx, scope, ids);
  }

  /**
   * Joins changes to contacts that exist and are not deleted, in the order given, each within its bounds; whoever takes
   * a name that refused mail is unsubscribed.
   * @param changes by the contact's id.
   * @returns how many changes were left out, since a contact would have outgrown its bounds.
   */
  async grow(
    tx: Transaction,
    scope: TenantScope,
    changes: ReadonlyMap<string, readonly ContactChanges[]>,
    now: Date,
  ): Promise<number> {
    const grown: ContactChange[] = [];
    let refusals = 0;
    for (const before of await this.contacts.find(tx, scope, 'id', [...changes.keys()], true)) {
      if (before.subscriptionStatus === 'deleted') continue;
      const { contact, updatedFields, refused } = growContact(before, changes.get(before.id) ?? [], now);
      refusals += refused.size;
      if (contact !== before) grown.push({ contact, updatedFields, before });
    }
    const heeded = await this.refusals.heed(tx, scope, grown);
    const contacts = heeded.map(({ contact }) => contact);
    await this.contacts.update(tx, scope, contacts);
    await this.listener.hear(tx, scope, contacts, now);
    return refusals;
  }
}
