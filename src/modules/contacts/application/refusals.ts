/**
 * Stores opt-outs and applies them: `refuse` when a person unsubscribes, `heed` when contacts are created, revived or
 * change their address, `among` before messages are sent, `withdraw` when the person opts in again.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ConfigError } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../domain/contact.js';
import { isErased } from '../domain/pseudonym.js';
import {
  heeding,
  namesOf,
  namesOfAddress,
  takesName,
  type ContactChange,
  type RefusableName,
} from '../domain/refusal.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { RefusalRepository } from '../persistence/refusal.repository.js';
import { ContactStore } from './contact-store.js';
import { RefusalDigests } from './refusal-digests.js';

/** The fields of a contact needed to find its opt-outs. */
export type Addressee = Pick<Contact, 'id' | 'externalId' | 'email'>;

/**
 * Who opts out: the contact that an email was for, and the address it was sent to, which may differ from the
 * contact's.
 */
export interface Refuser {
  readonly contactId: string;
  /** Null if unknown. */
  readonly sentTo: string | null;
}

/**
 * With at least this number of contacts, hashing their names costs more than first checking whether the tenant has
 * opt-outs.
 */
const WORTH_ASKING = 32;

@Injectable()
export class Refusals implements OnModuleInit {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly store: ContactStore,
    private readonly refusals: RefusalRepository,
    private readonly digests: RefusalDigests,
  ) {}

  /**
   * @throws ConfigError if opt-outs were stored under a key that is no longer configured: they could not be found.
   */
  async onModuleInit(): Promise<void> {
    const own = this.digests.fingerprints();
    const used = await this.refusals.keysUsed();
    if (!used.every((fingerprint) => own.some((known) => known.equals(fingerprint))))
      throw new ConfigError(
        'ENCRYPTION_KEY lacks a key that stored opt-outs need: add it back after the new key.',
      );
  }

  /**
   * For each key of opt-outs, in the order of the keys, whether anything is stored under it: such a key can never be
   * removed.
   */
  async keysInUse(): Promise<boolean[]> {
    const used = await this.refusals.keysUsed();
    return this.digests.fingerprints().map((own) => used.some((fingerprint) => fingerprint.equals(own)));
  }

  /**
   * Stores the opt-out of the person behind a contact: for its identifier, its current address, and the address that
   * the email was sent to; for an erased contact, for the names it had. Idempotent.
   * @returns whether the opt-out is new; of two concurrent calls, one gets true.
   */
  async refuse(tx: Transaction, scope: TenantScope, who: Refuser, now: Date): Promise<boolean> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [who.contactId], true);
    if (!contact) return false;
    const isKnown = await this.hasRefused(tx, scope, who);
    await this.keep(tx, scope, contact, now, namesOfAddress(who.sentTo));
    if (contact.subscriptionStatus === 'subscribed')
      await this.store.setStatus(tx, scope, contact, 'unsubscribed', now);
    return !isKnown;
  }

  /**
   * Whether the person behind a contact has already opted out, also at the address the email was sent to, so that
   * `refuse` would change nothing.
   */
  async hasRefused(tx: Transaction, scope: TenantScope, { contactId, sentTo }: Refuser): Promise<boolean> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId], false);
    if (!contact) return false;
    const [left] = namesOfAddress(sentTo);
    const isPresent = namesOf(contact).some(({ kind, text }) => kind === left?.kind && text === left.text);
    if (left && !isPresent && !(await this.isKept(tx, scope, [left]))) return false;
    if (contact.subscriptionStatus === 'unsubscribed') return true;
    if (!isErased(contact)) return this.isKept(tx, scope, namesOf(contact));
    const digests = await this.refusals.digestsOfErased(tx, scope, contact.id);
    const hexadecimal = digests.map((digest) => digest.toString('hex'));
    return (await this.refusals.among(tx, scope, hexadecimal)).length > 0;
  }

  /**
   * Stores the opt-out of the person behind a contact whose record is about to lose it.
   * @param others further names of the person.
   */
  async keep(
    tx: Transaction,
    scope: TenantScope,
    contact: Contact,
    now: Date,
    others: readonly RefusableName[] = [],
  ): Promise<void> {
    const erased = isErased(contact) ? await this.refusals.digestsOfErased(tx, scope, contact.id) : [];
    const names = isErased(contact) ? others : [...namesOf(contact), ...others];
    const digests = [...erased, ...(await this.stored(tx, scope, names))];
    await this.refusals.insert(tx, scope, digests, now);
  }

  /** Stores opt-outs for these names, whether or not a contact has them. Idempotent. */
  async keepNames(
    tx: Transaction,
    scope: TenantScope,
    names: readonly RefusableName[],
    now: Date,
  ): Promise<void> {
    await this.refusals.insert(tx, scope, await this.stored(tx, scope, names), now);
  }

  /**
   * Stores hashes of the contact's names before it is erased, so that the link of an old email still opts the person
   * out. Also stores the opt-out in its record.
   */
  async beforeErasure(tx: Transaction, scope: TenantScope, contact: Contact, now: Date): Promise<void> {
    if (contact.subscriptionStatus === 'unsubscribed') await this.keep(tx, scope, contact, now);
    await this.refusals.rememberErased(tx, scope, contact.id, await this.stored(tx, scope, namesOf(contact)));
  }

  /**
   * The changes, with contacts unsubscribed whose new identifier or address has opted out. It runs one query for the
   * whole set, and none if no change can be affected.
   */
  async heed<Change extends ContactChange>(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly Change[],
  ): Promise<readonly Change[]> {
    const contacts = changes.filter(takesName).map(({ contact }) => contact);
    const refused = await this.among(tx, scope, contacts);
    if (refused.size === 0) return changes;
    return changes.map((change) =>
      takesName(change) && refused.has(change.contact.id) ? heeding(change) : change,
    );
  }

  /**
   * The changes, with contacts unsubscribed that the caller knows have opted out. The opt-outs are stored for their
   * identifiers and addresses.
   */
  async optOut<Change extends ContactChange>(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly Change[],
    isOut: (change: Change) => boolean,
    now: Date,
  ): Promise<readonly Change[]> {
    const names = changes.filter(isOut).flatMap(({ contact }) => namesOf(contact));
    await this.keepNames(tx, scope, names, now);
    return changes.map((change) => {
      const { subscriptionStatus } = change.contact;
      // A deleted contact that the change does not revive stays deleted.
      if (!isOut(change) || subscriptionStatus !== 'subscribed') return change;
      const out = heeding(change);
      return { ...out, contact: { ...out.contact, updatedAt: now } };
    });
  }

  /** The ids of those whose identifier or address has opted out. */
  async among(tx: Transaction, scope: TenantScope, addressees: readonly Addressee[]): Promise<Set<string>> {
    if (addressees.length === 0) return new Set();
    if (addressees.length >= WORTH_ASKING && !(await this.refusals.any(tx, scope))) return new Set();
    const bearers = new Map<string, string[]>();
    for (const addressee of addressees)
      for (const name of namesOf(addressee))
        for (const digest of this.digests.toFind(scope, name)) {
          const ids = bearers.get(digest);
          if (ids) ids.push(addressee.id);
          else bearers.set(digest, [addressee.id]);
        }
    const found = await this.refusals.among(tx, scope, [...bearers.keys()]);
    return new Set(found.flatMap((digest) => bearers.get(digest) ?? []));
  }

  /**
   * The person behind a contact opts in again with a new consent: mail may be sent to its identifier and current
   * address again.
   * @returns whether it had opted out; a deleted contact stays deleted.
   */
  async withdraw(tx: Transaction, scope: TenantScope, contactId: string, now: Date): Promise<boolean> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId], true);
    if (!contact || isErased(contact)) return false;
    const digests = namesOf(contact).flatMap((name) => this.digests.toFind(scope, name));
    const removed = await this.refusals.remove(tx, scope, digests);
    if (contact.subscriptionStatus !== 'unsubscribed') return removed > 0;
    await this.store.setStatus(tx, scope, contact, 'subscribed', now);
    return true;
  }

  /** Whether one of the names has opted out. */
  private async isKept(
    tx: Transaction,
    scope: TenantScope,
    names: readonly RefusableName[],
  ): Promise<boolean> {
    const digests = names.flatMap((name) => this.digests.toFind(scope, name));
    return (await this.refusals.among(tx, scope, digests)).length > 0;
  }

  private async stored(
    tx: Transaction,
    scope: TenantScope,
    names: readonly RefusableName[],
  ): Promise<Buffer[]> {
    const [fingerprint] = this.digests.fingerprints();
    if (fingerprint && names.length > 0) await this.refusals.noteKey(tx, fingerprint);
    return names.map((name) => this.digests.toStore(scope, name));
  }
}
