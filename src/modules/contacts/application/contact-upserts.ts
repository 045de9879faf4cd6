/**
 * Upserts a set of contacts in a caller's transaction. It creates missing contacts, merges changes in the order in
 * which they arrived, and writes only what differs. It creates no contact beyond the plan's limit (section 8.2), and
 * leaves out changes that would make a contact exceed its size limits.
 */
import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { fittingCount } from '../../../platform/database/weight.js';
import { mapInTurns } from '../../../platform/threads/in-pieces.js';
import { newContact, type Contact, type ContactChanges } from '../domain/contact.js';
import { growContact, type GrownContact, type Joining } from '../domain/contact-growth.js';
import { namesOf } from '../domain/refusal.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactStore } from './contact-store.js';
import { Refusals } from './refusals.js';

/** The changes to merge, by external_id; an empty list only requires that the contact exists. */
export type ChangesByContact = ReadonlyMap<string, readonly ContactChanges[]>;

export interface UpsertOptions {
  readonly now: Date;
  /** The maximum number of contacts in the plan. */
  readonly maximum: number;
  /** Default: merge. */
  readonly joining?: Joining;
  /** The external_ids of contacts known to have opted out. The opt-outs are stored, and the contacts unsubscribed. */
  readonly optOuts?: ReadonlySet<string>;
}

export interface UpsertedContact extends GrownContact {
  readonly created: boolean;
}

export interface Upserts {
  readonly contacts: ReadonlyMap<string, UpsertedContact>;
  /** Contacts that were not created or revived because of the plan's limit. */
  readonly beyondLimit: ReadonlySet<string>;
  /** The number of contacts, if any is beyond the limit. */
  readonly current: number;
  /** How many contacts were created or revived, which is by how much the number of contacts grew. */
  readonly came: number;
}

/** The result for one contact, retained after its chunk: all contacts together may be too large for memory. */
export interface ContactFate {
  readonly isCreated: boolean;
  readonly updatedFields: readonly string[];
  readonly refused: ReadonlyMap<number, FieldError>;
}

export interface Fates extends Pick<Upserts, 'beyondLimit' | 'current' | 'came'> {
  /** By external_id, without the contacts beyond the plan's limit. */
  readonly of: ReadonlyMap<string, ContactFate>;
}

@Injectable()
export class ContactUpserts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly counts: ContactCountRepository,
    private readonly refusals: Refusals,
    private readonly store: ContactStore,
  ) {}

  /** Creates and merges. Returns every requested contact by external_id, except those beyond the limit. */
  async apply(
    tx: Transaction,
    scope: TenantScope,
    wanted: ChangesByContact,
    options: UpsertOptions,
  ): Promise<Upserts> {
    const ids = [...wanted.keys()];
    const hasChanges = (id: string): boolean => (wanted.get(id)?.length ?? 0) > 0;
    const find = async (some: readonly string[], lock: boolean): Promise<void> => {
      for (const contact of await this.contacts.find(tx, scope, 'externalId', some, lock))
        known.set(contact.externalId, contact);
    };
    const known = new Map<string, Contact>();
    await find(
      ids.filter((id) => !hasChanges(id)),
      false,
    );
    await find(ids.filter(hasChanges), true);

    const beyondLimit = new Set<string>();
    const before = await this.bounded(tx, scope, ids, known, hasChanges, options.maximum);
    let room = before === undefined ? Number.POSITIVE_INFINITY : Math.max(0, options.maximum - before);
    const missing = ids.filter((id) => !known.has(id));
    for (const id of missing.slice(room)) beyondLimit.add(id);
    const join = (before: Contact | undefined, contact: Contact): Joined =>
      withBefore(
        before,
        growContact(contact, wanted.get(contact.externalId) ?? [], options.now, options.joining),
      );
    const made = await mapInTurns(missing.slice(0, room), (id) =>
      join(undefined, newContact(uuidv7(options.now.getTime()), id, options.now)),
    );
    const heeded = await this.heed(tx, scope, options, [
      ...made,
      ...(await mapInTurns(known.values(), (contact) => join(contact, contact))),
    ]);
    const fresh = heeded.slice(0, made.length);
    const joined = heeded.slice(made.length);
    const created = await this.store.insert(
      tx,
      scope,
      fresh.map(({ contact }) => contact),
    );
    const result = new Map<string, UpsertedContact>();
    const added: Joined[] = [];
    const changed: Joined[] = [];
    const others: string[] = [];
    for (const one of fresh) {
      const { externalId } = one.contact;
      if (created.has(externalId)) {
        result.set(externalId, upserted(one, true));
        added.push(one);
      } else others.push(externalId);
    }
    if (others.length > 0) {
      // A concurrent transaction created them.
      const met = await this.contacts.find(tx, scope, 'externalId', others, true);
      const late = await mapInTurns(met, (contact) => join(contact, contact));
      joined.push(...(await this.heed(tx, scope, options, late)));
    }
    room -= created.size;

    let revived = 0;
    for (const one of joined) {
      const { before, contact } = one;
      const { externalId } = contact;
      const isRevived = before?.subscriptionStatus === 'deleted' && contact !== before;
      if (isRevived && revived === room) {
        beyondLimit.add(externalId);
        continue;
      }
      if (isRevived) revived++;
      if (contact !== before) changed.push(one);
      result.set(externalId, upserted(one, false));
    }
    await this.store.update(tx, scope, changed, options.now, added);
    const came = created.size + revived;
    await this.counts.add(tx, scope, came);
    await this.keepUnmade(tx, scope, wanted, beyondLimit, options);
    return { contacts: result, beyondLimit, current: (before ?? 0) + came, came };
  }

  /**
   * Like `apply`, for the largest set that one transaction may touch: it locks all contacts together, but reads them
   * in chunks of limited size.
   */
  async applyInBites(
    tx: Transaction,
    scope: TenantScope,
    wanted: ChangesByContact,
    options: UpsertOptions,
  ): Promise<Fates> {
    const fates = new Map<string, ContactFate>();
    const beyondLimit = new Set<string>();
    let [current, came] = [0, 0];
    for (const bite of bitesOf(wanted, await this.contacts.lockWeighed(tx, scope, [...wanted.keys()]))) {
      const done = await this.apply(tx, scope, bite, options);
      for (const [externalId, { created, updatedFields, refused }] of done.contacts)
        fates.set(externalId, { isCreated: created, updatedFields, refused });
      for (const externalId of done.beyondLimit) beyondLimit.add(externalId);
      current = Math.max(current, done.current);
      came += done.came;
    }
    return { of: fates, beyondLimit, current, came };
  }

  /** Stores the opt-outs of contacts that the plan's limit excludes: other contacts may have the same address. */
  private async keepUnmade(
    tx: Transaction,
    scope: TenantScope,
    wanted: ChangesByContact,
    beyondLimit: ReadonlySet<string>,
    { optOuts, now }: UpsertOptions,
  ): Promise<void> {
    const unmade = [...beyondLimit].filter((id) => optOuts?.has(id));
    if (unmade.length === 0) return;
    const names = unmade.flatMap((externalId) => {
      const emails = (wanted.get(externalId) ?? []).flatMap(({ email }) => email ?? []);
      return namesOf({ externalId, email: emails.at(-1) ?? null });
    });
    await this.refusals.keepNames(tx, scope, names, now);
  }

  /** The changes, with contacts unsubscribed that are known to have opted out, or whose identifier or address has. */
  private async heed(
    tx: Transaction,
    scope: TenantScope,
    { optOuts, now }: UpsertOptions,
    changes: readonly Joined[],
  ): Promise<readonly Joined[]> {
    if (!optOuts || optOuts.size === 0) return this.refusals.heed(tx, scope, changes);
    const isOut = ({ contact }: Joined): boolean => optOuts.has(contact.externalId);
    return this.refusals.heed(tx, scope, await this.refusals.optOut(tx, scope, changes, isOut, now));
  }

  /**
   * The number of contacts if the plan's limit may be reached; only then is the counter locked. Undefined if there is
   * certainly enough capacity.
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
      return !contact || (contact.subscriptionStatus === 'deleted' && hasChanges(id));
    };
    if (maximum === Number.POSITIVE_INFINITY || !ids.some(comes)) return undefined;
    return this.counts.lock(tx, scope);
  }
}

interface Joined extends GrownContact {
  /** Undefined for a new contact. */
  readonly before: Contact | undefined;
}

// Members are listed because a spread takes several times as long, and a bulk request has a thousand contacts.

function withBefore(before: Contact | undefined, { contact, updatedFields, refused }: GrownContact): Joined {
  return { before, contact, updatedFields, refused };
}

function upserted({ contact, updatedFields, refused }: Joined, created: boolean): UpsertedContact {
  return { contact, updatedFields, refused, created };
}

/**
 * Splits the changes into chunks that can be read together: a request has a size limit, but the contacts it touches
 * do not. Unknown contacts are new, cost the size of their changes, and are in the first chunk.
 * @param weights bytes of the known contacts.
 */
function bitesOf(wanted: ChangesByContact, weights: ReadonlyMap<string, number>): ChangesByContact[] {
  const part = (ids: readonly string[]): ChangesByContact =>
    new Map(ids.map((externalId) => [externalId, wanted.get(externalId) ?? []]));
  const fresh = [...wanted.keys()].filter((externalId) => !weights.has(externalId));
  let known = [...weights.keys()];
  let count = fittingCount(known, weights);
  const bites = [part([...fresh, ...known.slice(0, count)])];
  while ((known = known.slice(count)).length > 0) {
    count = fittingCount(known, weights);
    bites.push(part(known.slice(0, count)));
  }
  return bites;
}
