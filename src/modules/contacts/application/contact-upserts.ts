/**
 * Brings contacts up to date as a set, inside a caller's transaction: those that are unknown are created, changes
 * are joined in the order in which they came, and only what really changed is written. No contact is made beyond the
 * plan's limit (section 8.2), and none grows beyond its bounds: a change that would do that is left out.
 */
import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { newContact, type Contact, type ContactChanges } from '../domain/contact.js';
import { outgrown } from '../domain/contact-bounds.js';
import { mergeContact, type JoinContact, type MergedContact } from '../domain/merge-contact.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactChangesListener, type ChangedContact } from './contact-changes.listener.js';

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
  /** Changes that were left out, by their place in the list: the contact would have outgrown its bounds. */
  readonly refused: ReadonlyMap<number, FieldError>;
}

export interface Upserts {
  readonly contacts: ReadonlyMap<string, UpsertedContact>;
  /** Contacts that were not made, or not brought back, since the plan allows no more. */
  readonly beyondLimit: ReadonlySet<string>;
  /** How many contacts there are, where any is beyond the limit. */
  readonly current: number;
}

@Injectable()
export class ContactUpserts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly counts: ContactCountRepository,
    private readonly listener: ContactChangesListener,
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
    const learned: ChangedContact[] = [];
    const before = await this.bounded(tx, scope, ids, known, hasChanges, options.maximum);
    let room = before === undefined ? Number.POSITIVE_INFINITY : Math.max(0, options.maximum - before);
    const missing = ids.filter((id) => !known.has(id));
    for (const id of missing.slice(room)) beyondLimit.add(id);
    const join = (contact: Contact): Joined =>
      joinAll(contact, wanted.get(contact.external_id) ?? [], options);
    const fresh = missing
      .slice(0, room)
      .map((id) => join(newContact(uuidv7(options.now.getTime()), id, options.now)));
    const created = await this.contacts.insert(
      tx,
      scope,
      fresh.map(({ contact }) => contact),
    );
    const result = new Map<string, UpsertedContact>();
    const changed: Contact[] = [];
    const others: string[] = [];
    for (const joined of fresh) {
      const { external_id: externalId } = joined.contact;
      if (created.has(externalId)) {
        result.set(externalId, { ...joined, created: true });
        learned.push(joined.contact);
      } else others.push(externalId);
    }
    // Somebody else created them at the same moment.
    await find(others, true);
    room -= created.size;

    const revived: string[] = [];
    for (const [externalId, contact] of known) {
      const joined = join(contact);
      const isRevived = contact.subscription_status === 'deleted' && joined.contact !== contact;
      if (isRevived && revived.length === room) {
        beyondLimit.add(externalId);
        continue;
      }
      if (isRevived) revived.push(externalId);
      if (joined.contact !== contact) changed.push(joined.contact);
      result.set(externalId, { ...joined, created: false });
    }
    await this.contacts.update(tx, scope, changed);
    // Storing them decides whether they come back subscribed.
    for (const contact of await this.contacts.find(tx, scope, 'external_id', revived, false)) {
      const joined = result.get(contact.external_id);
      if (joined) result.set(contact.external_id, { ...joined, contact });
    }
    learned.push(...changed);
    await this.listener.hear(tx, scope, learned, options.now);
    const came = created.size + revived.length;
    await this.counts.add(tx, scope, came);
    return { contacts: result, beyondLimit, current: (before ?? 0) + came };
  }

  /**
   * How many contacts there are, where that bounds what may be done; only then is the number kept from changing.
   * Undefined where there is room for all in any case.
   */
  private async bounded(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    known: ReadonlyMap<string, Contact>,
    hasChanges: (id: string) => boolean,
    maximum: number,
  ): Promise<number | undefined> {
    const comes = (id: string): boolean => {
      const contact = known.get(id);
      return !contact || (contact.subscription_status === 'deleted' && hasChanges(id));
    };
    if (maximum === Number.POSITIVE_INFINITY || !ids.some(comes)) return undefined;
    return this.counts.lock(tx, scope);
  }
}

type Joined = MergedContact & Pick<UpsertedContact, 'refused'>;

function joinAll(
  before: Contact,
  changes: readonly ContactChanges[],
  { now, join = mergeContact }: UpsertOptions,
): Joined {
  const updatedFields = new Set<string>();
  const refused = new Map<number, FieldError>();
  let contact = before;
  changes.forEach((change, place) => {
    const merged = join(contact, change, now);
    const grows = merged.updatedFields.some((field) => field === 'properties' || field === 'tags');
    const error = grows ? outgrown(merged.contact) : undefined;
    if (error) {
      refused.set(place, error);
      return;
    }
    contact = merged.contact;
    for (const field of merged.updatedFields) updatedFields.add(field);
  });
  return { contact, updatedFields: [...updatedFields], refused };
}
