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
import { fittingCount } from '../../../platform/database/byte-size.js';
import { mapCooperatively } from '../../../platform/threads/run-cooperatively.js';
import { newContact, type Contact, type ContactChanges } from '../domain/contact.js';
import { mergeWithinLimits, type LimitedMerge, type MergeMode } from '../domain/limited-merge.js';
import { namesOf } from '../domain/opt-out.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactStore } from './contact-store.js';
import { OptOuts } from './opt-outs.js';

/** The changes to merge, by external_id; an empty list only requires that the contact exists. */
export type ChangesByContact = ReadonlyMap<string, readonly ContactChanges[]>;

export interface UpsertOptions {
  readonly now: Date;
  /** The maximum number of contacts in the plan. */
  readonly maximum: number;
  /** Default: merge. */
  readonly mergeMode?: MergeMode;
  /** The external_ids of contacts known to have opted out. The opt-outs are stored, and the contacts unsubscribed. */
  readonly optOuts?: ReadonlySet<string>;
}

export interface UpsertedContact extends LimitedMerge {
  readonly created: boolean;
}

export interface UpsertResult {
  readonly contacts: ReadonlyMap<string, UpsertedContact>;
  /** Contacts that were not created or revived because of the plan's limit. */
  readonly beyondLimit: ReadonlySet<string>;
  /** The number of contacts, if any is beyond the limit. */
  readonly current: number;
  /** How many contacts were created or revived, which is by how much the number of contacts grew. */
  readonly came: number;
}

/** The result for one contact, retained after its chunk: all contacts together may be too large for memory. */
export interface ContactUpsertResult {
  readonly isCreated: boolean;
  readonly updatedFields: readonly string[];
  readonly rejected: ReadonlyMap<number, FieldError>;
}

export interface BulkUpsertResult extends Pick<UpsertResult, 'beyondLimit' | 'current' | 'came'> {
  /** By external_id, without the contacts beyond the plan's limit. */
  readonly byExternalId: ReadonlyMap<string, ContactUpsertResult>;
}

@Injectable()
export class ContactUpserts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly counts: ContactCountRepository,
    private readonly optOuts: OptOuts,
    private readonly store: ContactStore,
  ) {}

  /** Creates and merges. Returns every requested contact by external_id, except those beyond the limit. */
  async apply(
    tx: Transaction,
    scope: TenantScope,
    requested: ChangesByContact,
    options: UpsertOptions,
  ): Promise<UpsertResult> {
    const ids = [...requested.keys()];
    const hasChanges = (id: string): boolean => (requested.get(id)?.length ?? 0) > 0;
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
    const before = await this.lockCountNearLimit(tx, scope, ids, known, hasChanges, options.maximum);
    let remaining = before === undefined ? Number.POSITIVE_INFINITY : Math.max(0, options.maximum - before);
    const missing = ids.filter((id) => !known.has(id));
    for (const id of missing.slice(remaining)) beyondLimit.add(id);
    const merge = (before: Contact | undefined, contact: Contact): MergedChange =>
      withBefore(
        before,
        mergeWithinLimits(contact, requested.get(contact.externalId) ?? [], options.now, options.mergeMode),
      );
    const newMerges = await mapCooperatively(missing.slice(0, remaining), (id) =>
      merge(undefined, newContact(uuidv7(options.now.getTime()), id, options.now)),
    );
    const checked = await this.applyOptOuts(tx, scope, options, [
      ...newMerges,
      ...(await mapCooperatively(known.values(), (contact) => merge(contact, contact))),
    ]);
    const newContacts = checked.slice(0, newMerges.length);
    const merges = checked.slice(newMerges.length);
    const created = await this.store.insert(
      tx,
      scope,
      newContacts.map(({ contact }) => contact),
    );
    const result = new Map<string, UpsertedContact>();
    const added: MergedChange[] = [];
    const changed: MergedChange[] = [];
    const others: string[] = [];
    for (const one of newContacts) {
      const { externalId } = one.contact;
      if (created.has(externalId)) {
        result.set(externalId, upserted(one, true));
        added.push(one);
      } else others.push(externalId);
    }
    if (others.length > 0) {
      // A concurrent transaction created them.
      const existing = await this.contacts.find(tx, scope, 'externalId', others, true);
      const lateMerges = await mapCooperatively(existing, (contact) => merge(contact, contact));
      merges.push(...(await this.applyOptOuts(tx, scope, options, lateMerges)));
    }
    remaining -= created.size;

    let revived = 0;
    for (const one of merges) {
      const { before, contact } = one;
      const { externalId } = contact;
      const isRevived = before?.subscriptionStatus === 'deleted' && contact !== before;
      if (isRevived && revived === remaining) {
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
    await this.storeExcludedOptOuts(tx, scope, requested, beyondLimit, options);
    return { contacts: result, beyondLimit, current: (before ?? 0) + came, came };
  }

  /**
   * Like `apply`, for the largest set that one transaction may touch: it locks all contacts together, but reads them
   * in chunks of limited size.
   */
  async applyInChunks(
    tx: Transaction,
    scope: TenantScope,
    requested: ChangesByContact,
    options: UpsertOptions,
  ): Promise<BulkUpsertResult> {
    const results = new Map<string, ContactUpsertResult>();
    const beyondLimit = new Set<string>();
    let [current, came] = [0, 0];
    for (const chunk of chunksOf(
      requested,
      await this.contacts.lockWithSizes(tx, scope, [...requested.keys()]),
    )) {
      const done = await this.apply(tx, scope, chunk, options);
      for (const [externalId, { created, updatedFields, rejected }] of done.contacts)
        results.set(externalId, { isCreated: created, updatedFields, rejected });
      for (const externalId of done.beyondLimit) beyondLimit.add(externalId);
      current = Math.max(current, done.current);
      came += done.came;
    }
    return { byExternalId: results, beyondLimit, current, came };
  }

  /** Stores the opt-outs of contacts that the plan's limit excludes: other contacts may have the same address. */
  private async storeExcludedOptOuts(
    tx: Transaction,
    scope: TenantScope,
    requested: ChangesByContact,
    beyondLimit: ReadonlySet<string>,
    { optOuts, now }: UpsertOptions,
  ): Promise<void> {
    const excluded = [...beyondLimit].filter((id) => optOuts?.has(id));
    if (excluded.length === 0) return;
    const names = excluded.flatMap((externalId) => {
      const emails = (requested.get(externalId) ?? []).flatMap(({ email }) => email ?? []);
      return namesOf({ externalId, email: emails.at(-1) ?? null });
    });
    await this.optOuts.storeNames(tx, scope, names, now);
  }

  /** The changes, with contacts unsubscribed that are known to have opted out, or whose identifier or address has. */
  private async applyOptOuts(
    tx: Transaction,
    scope: TenantScope,
    { optOuts, now }: UpsertOptions,
    changes: readonly MergedChange[],
  ): Promise<readonly MergedChange[]> {
    if (!optOuts || optOuts.size === 0) return this.optOuts.apply(tx, scope, changes);
    const hasOptedOut = ({ contact }: MergedChange): boolean => optOuts.has(contact.externalId);
    return this.optOuts.apply(
      tx,
      scope,
      await this.optOuts.storeAndApply(tx, scope, changes, hasOptedOut, now),
    );
  }

  /**
   * The number of contacts if the plan's limit may be reached; only then is the counter locked. Undefined if there is
   * certainly enough capacity.
   */
  private async lockCountNearLimit(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    known: ReadonlyMap<string, Contact>,
    hasChanges: (id: string) => boolean,
    maximum: number,
  ): Promise<number | undefined> {
    const addsContact = (id: string): boolean => {
      const contact = known.get(id);
      return !contact || (contact.subscriptionStatus === 'deleted' && hasChanges(id));
    };
    if (maximum === Number.POSITIVE_INFINITY || !ids.some(addsContact)) return undefined;
    return this.counts.lock(tx, scope);
  }
}

interface MergedChange extends LimitedMerge {
  /** Undefined for a new contact. */
  readonly before: Contact | undefined;
}

// Members are listed because a spread takes several times as long, and a bulk request has a thousand contacts.

function withBefore(
  before: Contact | undefined,
  { contact, updatedFields, rejected }: LimitedMerge,
): MergedChange {
  return { before, contact, updatedFields, rejected };
}

function upserted({ contact, updatedFields, rejected }: MergedChange, created: boolean): UpsertedContact {
  return { contact, updatedFields, rejected, created };
}

/**
 * Splits the changes into chunks that can be read together: a request has a size limit, but the contacts it touches
 * do not. Unknown contacts are new, cost the size of their changes, and are in the first chunk.
 * @param weights bytes of the known contacts.
 */
function chunksOf(requested: ChangesByContact, weights: ReadonlyMap<string, number>): ChangesByContact[] {
  const part = (ids: readonly string[]): ChangesByContact =>
    new Map(ids.map((externalId) => [externalId, requested.get(externalId) ?? []]));
  const newContacts = [...requested.keys()].filter((externalId) => !weights.has(externalId));
  let known = [...weights.keys()];
  let count = fittingCount(known, weights);
  const chunks = [part([...newContacts, ...known.slice(0, count)])];
  while ((known = known.slice(count)).length > 0) {
    count = fittingCount(known, weights);
    chunks.push(part(known.slice(0, count)));
  }
  return chunks;
}
