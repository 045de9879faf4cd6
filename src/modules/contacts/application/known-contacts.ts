/**
 * Contacts for the modules above, inside their transaction and as sets: looked up, kept from changing, stored. Nobody
 * else stores a contact, so that whoever listens hears of every change.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../domain/contact.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactChangesListener } from './contact-changes.listener.js';

@Injectable()
export class KnownContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly listener: ContactChangesListener,
  ) {}

  /** The contacts that there are of these ids or external_ids, deleted ones among them, in any order. */
  async find(
    tx: Transaction,
    scope: TenantScope,
    key: 'id' | 'external_id',
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

  /** The contacts of these ids, kept from other writers until the transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
    return this.contacts.find(tx, scope, 'id', ids, true);
  }

  /** Stores contacts that were read with `lock` and have changed since. */
  async change(tx: Transaction, scope: TenantScope, contacts: readonly Contact[], now: Date): Promise<void> {
    await this.contacts.update(tx, scope, contacts);
    await this.listener.hear(tx, scope, contacts, now);
  }
}
