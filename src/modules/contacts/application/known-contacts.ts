/** Reads, weighs, locks and changes sets of contacts for higher modules, inside their transactions. */
import { Injectable } from '@nestjs/common';
import { isStorableText } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapCooperatively } from '../../../platform/threads/run-cooperatively.js';
import { mergeWithinLimits } from '../domain/limited-merge.js';
import type { Contact, ContactChanges } from '../domain/contact.js';
import { namesOfAddress, spellingsOf, type ContactChange } from '../domain/opt-out.js';
import { ContactRepository, type ContactState } from '../persistence/contact.repository.js';
import { ContactStore } from './contact-store.js';
import { OptOuts } from './opt-outs.js';

@Injectable()
export class KnownContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly optOuts: OptOuts,
    private readonly store: ContactStore,
  ) {}

  /** The contacts with these ids or external_ids that exist, including deleted ones, in any order. */
  async find(
    tx: Transaction,
    scope: TenantScope,
    key: 'id' | 'externalId',
    values: readonly string[],
  ): Promise<Contact[]> {
    return this.contacts.find(tx, scope, key, values, false);
  }

  /** The external_ids of contacts, by id, for lists. */
  async externalIds(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.contacts.externalIds(tx, scope, ids);
  }

  /**
   * The external_ids of contacts that have one of the addresses, without deleted contacts.
   * @param addresses as `contacts/domain/refusal` compares them.
   * @param limit maximum number of results.
   */
  async externalIdsWithAddress(
    tx: Transaction,
    scope: TenantScope,
    addresses: readonly string[],
    limit: number,
  ): Promise<readonly string[]> {
    return addresses.length === 0 ? [] : this.contacts.externalIdsWithAddress(tx, scope, addresses, limit);
  }

  /** Those of the external_ids that belong to a contact that is not deleted. */
  async existingAmong(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
  ): Promise<readonly string[]> {
    return externalIds.length === 0 ? [] : this.contacts.existingAmong(tx, scope, externalIds);
  }

  /**
   * Those of the contacts that exist, with whether they are deleted.
   * @param withBytes whether to include the size of each contact, by which callers limit their batches.
   */
  async states(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    withBytes: boolean,
  ): Promise<ReadonlyMap<string, ContactState>> {
    return this.contacts.states(tx, scope, ids, withBytes);
  }

  /**
   * The ids of contacts, including deleted ones, with one of the given names; for an address at most 100.
   * @returns undefined if no name is given.
   */
  async idsByName(
    tx: Transaction,
    scope: TenantScope,
    { externalId, email }: { readonly externalId?: string | undefined; readonly email?: string | undefined },
  ): Promise<readonly string[] | undefined> {
    const name = externalId ?? email;
    if (name === undefined) return undefined;
    if (!isStorableText(name)) return [];
    return externalId === undefined
      ? this.contacts.idsWithAddress(
          tx,
          scope,
          namesOfAddress(name).flatMap(({ text }) => spellingsOf(text)),
        )
      : this.contacts.idsWithExternalId(tx, scope, name);
  }

  /** Those of the contacts that exist, with the bytes it takes to read each; callers limit their batches by them. */
  async weigh(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    return this.contacts.weigh(tx, scope, ids);
  }

  /**
   * Locks the contacts that no other transaction has locked. It does not wait, for callers that already hold other
   * row locks.
   * @returns the ids of the others.
   */
  async lockAvailable(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<readonly string[]> {
    return ids.length === 0 ? [] : this.contacts.lockAvailable(tx, scope, ids);
  }

  /** Waits until no other transaction has locked the contact. The caller's transaction must hold no other locks. */
  async waitUntilUnlocked(tx: Transaction, scope: TenantScope, id: string): Promise<void> {
    await this.contacts.lockOne(tx, scope, id);
  }

  /**
   * Merges changes into contacts that exist and are not deleted, in the given order and within their size limits. A
   * contact that takes an identifier or address that has opted out is unsubscribed.
   * @param changes by the contact's id.
   * @returns how many changes were left out because a contact would have exceeded its size limits.
   */
  async mergeChanges(
    tx: Transaction,
    scope: TenantScope,
    changes: ReadonlyMap<string, readonly ContactChanges[]>,
    now: Date,
  ): Promise<number> {
    const merged: ContactChange[] = [];
    let optOuts = 0;
    await mapCooperatively(await this.contacts.find(tx, scope, 'id', [...changes.keys()], true), (before) => {
      if (before.subscriptionStatus === 'deleted') return;
      const { contact, updatedFields, rejected } = mergeWithinLimits(
        before,
        changes.get(before.id) ?? [],
        now,
      );
      optOuts += rejected.size;
      if (contact !== before) merged.push({ contact, updatedFields, before });
    });
    const checked = await this.optOuts.apply(tx, scope, merged);
    await this.store.update(tx, scope, checked, now);
    return optOuts;
  }
}
