/**
 * The one place where contacts are stored, so that whoever listens hears of every change. What is told of a change is
 * told in the transaction that stores it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { changedContact, erasedContact } from '../domain/changed-contact.js';
import type { Contact, SubscriptionStatus } from '../domain/contact.js';
import { pseudonymOf } from '../domain/pseudonym.js';
import type { ContactChange } from '../domain/refusal.js';
import { ContactWritesRepository } from '../persistence/contact-writes.repository.js';
import { ContactChangesListener } from './contact-changes.listener.js';

@Injectable()
export class ContactStore {
  constructor(
    private readonly contacts: ContactWritesRepository,
    private readonly listener: ContactChangesListener,
  ) {}

  /**
   * Makes those of the contacts whose external_id is free. They are not announced by themselves: the caller hands them
   * to `update`, behind it, so that listeners hear of the whole batch at once.
   * @returns the external_ids of those that were made.
   */
  async insert(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<Set<string>> {
    return this.contacts.insert(tx, scope, contacts);
  }

  /**
   * Stores changes of contacts that were read with a lock, and announces them.
   * @param made changes that `insert` has stored in this transaction; they are announced first.
   */
  async update(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly ContactChange[],
    now: Date,
    made: readonly ContactChange[] = [],
  ): Promise<void> {
    await this.contacts.update(
      tx,
      scope,
      changes.map(({ contact }) => contact),
    );
    const news = made.map(changedContact);
    for (const change of changes) news.push(changedContact(change));
    await this.listener.hear(tx, scope, news, now);
  }

  /** Gives a contact that was read with a lock another status. */
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

  /** Makes a contact that was read with a lock one of nobody: deleted, under its pseudonym. */
  async erase(tx: Transaction, scope: TenantScope, contact: Contact, now: Date): Promise<void> {
    await this.contacts.anonymise(tx, scope, { id: contact.id, pseudonym: pseudonymOf(contact.id) }, now);
    await this.listener.hear(tx, scope, [erasedContact(contact)], now);
  }
}
