/**
 * Brings contacts up to date as a set, inside a caller's transaction: those that are unknown are created, changes
 * are joined in the order in which they came, and only what really changed is written. No contact is made beyond the
 * plan's limit (section 8.2).
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { newContact, type Contact, type ContactChanges } from '../domain/contact.js';
import { mergeContact, type JoinContact, type MergedContact } from '../domain/merge-contact.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactRepository } from '../persistence/contact.repository.js';

/** What is to be joined, by external_id; an empty list only asks for the contact to exist. */
export type ChangesByContact = ReadonlyMap<string, readonly ContactChanges[]>;

export interface UpsertOptions {
  readonly now: Date;
  /** The most contacts that the plan allows. */
  readonly maximum: number;
  /** How changes are joined to what is known; merging by default. */
  readonly join?: JoinContact;
}

export interface UpsertedContact {
  readonly contact: Contact;
  readonly created: boolean;
  readonly updatedFields: readonly string[];
}

export interface Upserts {
  readonly contacts: ReadonlyMap<string, UpsertedContact>;
  /** Contacts that were not made, or not brought back, since the plan allows no more. */
  readonly beyondLimit: ReadonlySet<string>;
}

@Injectable()
export class ContactUpserts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly counts: ContactCountRepository,
  ) {}

  /** Creates and joins; gives every contact that was asked for, by external_id, but those beyond the limit. */
  async apply(
    tx: Transaction,
    scope: TenantScope,
    wanted: ChangesByContact,
    options: UpsertOptions,
  ): Promise<Upserts> {
    const ids = [...wanted.keys()];
    const hasChanges = (id: string): boolean => (wanted.get(id)?.length ?? 0) > 0;
    const find = async (some: readonly string[], lock: boolean): Promise<void> => {
      for (const contact of await this.contacts.find(tx, scope, 'external_id', some, lock))
        known.set(contact.external_id, contact);
    };
    const known = new Map<string, Contact>();
    await find(
      ids.filter((id) => !hasChanges(id)),
      false,
    );
    await find(ids.filter(hasChanges), true);

    const beyondLimit = new Set<string>();
    let room = await this.room(tx, scope, ids, known, hasChanges, options.maximum);
    const missing = ids.filter((id) => !known.has(id));
    for (const id of missing.slice(room)) beyondLimit.add(id);
    const fresh = missing
      .slice(0, room)
      .map((id) => newContact(uuidv7(options.now.getTime()), id, options.now));
    const created = await this.contacts.insert(tx, scope, fresh);
    for (const contact of fresh)
      if (created.has(contact.external_id)) known.set(contact.external_id, contact);
    // Somebody else created them at the same moment.
    await find(
      fresh.map((contact) => contact.external_id).filter((id) => !created.has(id)),
      true,
    );
    room -= created.size;

    const result = new Map<string, UpsertedContact>();
    const changed: Contact[] = [];
    let revived = 0;
    for (const [externalId, before] of known) {
      const joined = joinAll(before, wanted.get(externalId) ?? [], options);
      const isRevived = before.subscription_status === 'deleted' && joined.contact !== before;
      if (isRevived && revived === room) {
        beyondLimit.add(externalId);
        continue;
      }
      if (isRevived) revived++;
      if (joined.contact !== before) changed.push(joined.contact);
      result.set(externalId, { ...joined, created: created.has(externalId) });
    }
    await this.contacts.update(tx, scope, changed);
    await this.counts.add(tx, scope, created.size + revived);
    return { contacts: result, beyondLimit };
  }

  /** How many contacts may still be made; the number is kept from changing only where it matters. */
  private async room(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    known: ReadonlyMap<string, Contact>,
    hasChanges: (id: string) => boolean,
    maximum: number,
  ): Promise<number> {
    const comes = (id: string): boolean => {
      const contact = known.get(id);
      return !contact || (contact.subscription_status === 'deleted' && hasChanges(id));
    };
    if (maximum === Number.POSITIVE_INFINITY || !ids.some(comes)) return Number.POSITIVE_INFINITY;
    return Math.max(0, maximum - (await this.counts.lock(tx, scope)));
  }
}

function joinAll(
  before: Contact,
  changes: readonly ContactChanges[],
  { now, join = mergeContact }: UpsertOptions,
): MergedContact {
  const updatedFields = new Set<string>();
  let contact = before;
  for (const change of changes) {
    const merged = join(contact, change, now);
    contact = merged.contact;
    for (const field of merged.updatedFields) updatedFields.add(field);
  }
  return { contact, updatedFields: [...updatedFields] };
}
