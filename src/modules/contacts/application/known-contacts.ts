/**
 * Contacts for the modules above, inside their transaction and as sets: looked up, kept from changing, stored. Nobody
 * else stores a contact, so that whoever listens hears of every change.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../domain/contact.js';
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

  /** The contacts of these ids, kept from other writers until the transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
    return this.contacts.find(tx, scope, 'id', ids, true);
  }

  /** Stores changes of contacts that were read with `lock`; whoever takes a name that refused mail is unsubscribed. */
  async change(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly ContactChange[],
    now: Date,
  ): Promise<void> {
    const heeded = await this.refusals.heed(tx, scope, changes);
    const contacts = heeded.map(({ contact }) => contact);
    await this.contacts.update(tx, scope, contacts);
    await this.listener.hear(tx, scope, contacts, now);
  }
}
