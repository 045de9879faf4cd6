/** Contacts for the modules above, inside their transaction and as sets: looked up, weighed, changed. */
import { Injectable } from '@nestjs/common';
import { isStorableText } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapInTurns } from '../../../platform/threads/in-pieces.js';
import { growContact } from '../domain/contact-growth.js';
import type { Contact, ContactChanges } from '../domain/contact.js';
import { namesOfAddress, spellingsOf, type ContactChange } from '../domain/refusal.js';
import { ContactRepository, type ContactStanding } from '../persistence/contact.repository.js';
import { ContactStore } from './contact-store.js';
import { Refusals } from './refusals.js';

@Injectable()
export class KnownContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly refusals: Refusals,
    private readonly store: ContactStore,
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

  /**
   * The external_ids of contacts that have one of the addresses, without those that are deleted.
   * @param addresses as `contacts/domain/refusal` compares them.
   * @param limit the most of them.
   */
  async bearersOf(
    tx: Transaction,
    scope: TenantScope,
    addresses: readonly string[],
    limit: number,
  ): Promise<readonly string[]> {
    return addresses.length === 0 ? [] : this.contacts.bearersOf(tx, scope, addresses, limit);
  }

  /** Those of the external_ids that are contacts', without those that are deleted. */
  async presentAmong(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
  ): Promise<readonly string[]> {
    return externalIds.length === 0 ? [] : this.contacts.presentAmong(tx, scope, externalIds);
  }

  /**
   * Those of the contacts that exist, with whether they are deleted.
   * @param withBytes whether it is told what reading each would cost: batches are cut by that.
   */
  async standings(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    withBytes: boolean,
  ): Promise<ReadonlyMap<string, ContactStanding>> {
    return this.contacts.standings(tx, scope, ids, withBytes);
  }

  /**
   * The ids of contacts by one of their names, deleted ones too; of an address at most 100.
   * @returns undefined where no name is given.
   */
  async idsNamed(
    tx: Transaction,
    scope: TenantScope,
    { externalId, email }: { readonly externalId?: string | undefined; readonly email?: string | undefined },
  ): Promise<readonly string[] | undefined> {
    const name = externalId ?? email;
    if (name === undefined) return undefined;
    if (!isStorableText(name)) return [];
    return externalId === undefined
      ? this.contacts.idsAt(
          tx,
          scope,
          namesOfAddress(name).flatMap(({ text }) => spellingsOf(text)),
        )
      : this.contacts.idsOf(tx, scope, name);
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
   * Locks contacts for whoever holds other rows already, and so must not wait for these: those that nobody else holds.
   * @returns the ids of the others.
   */
  async lockFree(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<readonly string[]> {
    return ids.length === 0 ? [] : this.contacts.lockFree(tx, scope, ids);
  }

  /** Waits until nobody else holds the contact; for a transaction that holds nothing else. */
  async whenFree(tx: Transaction, scope: TenantScope, id: string): Promise<void> {
    await this.contacts.lockOne(tx, scope, id);
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
    await mapInTurns(await this.contacts.find(tx, scope, 'id', [...changes.keys()], true), (before) => {
      if (before.subscriptionStatus === 'deleted') return;
      const { contact, updatedFields, refused } = growContact(before, changes.get(before.id) ?? [], now);
      refusals += refused.size;
      if (contact !== before) grown.push({ contact, updatedFields, before });
    });
    const heeded = await this.refusals.heed(tx, scope, grown);
    await this.store.update(tx, scope, heeded, now);
    return refusals;
  }
}
