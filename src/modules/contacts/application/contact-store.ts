/**
 * The only code that stores contacts, so listeners receive every change. A change is announced in the transaction
 * that stores it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { changedContact, erasedContact } from '../domain/changed-contact.js';
import type { Contact, SubscriptionStatus } from '../domain/contact.js';
import { pseudonymOf } from '../domain/pseudonym.js';
import type { ContactChange } from '../domain/opt-out.js';
import { ContactWritesRepository } from '../persistence/contact-writes.repository.js';
import { ContactChangesListener } from './contact-changes.listener.js';

@Injectable()
export class ContactStore {
  constructor(
    private readonly contacts: ContactWritesRepository,
    private readonly listener: ContactChangesListener,
  ) {}

  /**
   * Inserts the contacts whose external_id is not taken. It does not announce them: the caller then passes them to
   * `update`, so that listeners receive the whole batch together.
   * @returns the external_ids of the inserted contacts.
   */
  async insert(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<Set<string>> {
    return this.contacts.insert(tx, scope, contacts);
  }

  /**
   * Stores changes of contacts that were read under a lock, and announces them.
   * @param inserted changes that `insert` has stored in this transaction; they are announced first.
   */
  async update(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly ContactChange[],
    now: Date,
    inserted: readonly ContactChange[] = [],
  ): Promise<void> {
    await this.contacts.update(
      tx,
      scope,
      changes.map(({ contact }) => contact),
    );
    const announced = inserted.map(changedContact);
    for (const change of changes) announced.push(changedContact(change));
    await this.listener.handle(tx, scope, announced, now);
  }

  /** Changes the status of a contact that was read under a lock. */
  async setStatus(
    tx: Transaction,
    scope: TenantScope,
    before: Contact,
    subscriptionStatus: SubscriptionStatus,
    now: Date,
  ): Promise<void> {
    const contact = { ...before, subscriptionStatus, updatedAt: now };
    await this.update(tx, scope, [{ before, contact, updatedFields: ['subscriptionStatus'] }], now);
  }

  /** Anonymises a contact that was read under a lock: it is deleted and gets its pseudonym. */
  async erase(tx: Transaction, scope: TenantScope, contact: Contact, now: Date): Promise<void> {
    await this.contacts.anonymise(tx, scope, { id: contact.id, pseudonym: pseudonymOf(contact.id) }, now);
    await this.listener.handle(tx, scope, [erasedContact(contact)], now);
  }
}
