/**
 * Stores opt-outs and applies them: `record` when a person unsubscribes, `apply` when contacts are created, revived or
 * change their address, `among` before messages are sent, `optIn` when the person opts in again.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ConfigError } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../domain/contact.js';
import { isErased } from '../domain/pseudonym.js';
import {
  unsubscribing,
  namesOf,
  namesOfAddress,
  newlyAllowsMail,
  type ContactChange,
  type OptOutName,
} from '../domain/opt-out.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { OptOutRepository } from '../persistence/opt-out.repository.js';
import { ContactStore } from './contact-store.js';
import { OptOutDigests } from './opt-out-digests.js';

/** The fields of a contact needed to find its opt-outs. */
export type Addressee = Pick<Contact, 'id' | 'externalId' | 'email'>;

/**
 * Who opts out: the contact that an email was for, and the address it was sent to, which may differ from the
 * contact's.
 */
export interface OptOutRecipient {
  readonly contactId: string;
  /** Null if unknown. */
  readonly sentTo: string | null;
}

/**
 * With at least this number of contacts, hashing their names costs more than first checking whether the tenant has
 * opt-outs.
 */
const MIN_CONTACTS_TO_PRECHECK = 32;

@Injectable()
export class OptOuts implements OnModuleInit {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly store: ContactStore,
    private readonly repository: OptOutRepository,
    private readonly digests: OptOutDigests,
  ) {}

  /**
   * @throws ConfigError if opt-outs were stored under a key that is no longer configured: they could not be found.
   */
  async onModuleInit(): Promise<void> {
    const configured = this.digests.fingerprints();
    const used = await this.repository.usedKeys();
    if (!used.every((fingerprint) => configured.some((known) => known.equals(fingerprint))))
      throw new ConfigError(
        'ENCRYPTION_KEY lacks a key that stored opt-outs need: add it back after the new key.',
      );
  }

  /**
   * For each key of opt-outs, in the order of the keys, whether anything is stored under it: such a key can never be
   * removed.
   */
  async keysInUse(): Promise<boolean[]> {
    const used = await this.repository.usedKeys();
    return this.digests
      .fingerprints()
      .map((configured) => used.some((fingerprint) => fingerprint.equals(configured)));
  }

  /**
   * Stores the opt-out of the person behind a contact: for its identifier, its current address, and the address that
   * the email was sent to; for an erased contact, for the names it had. Idempotent.
   * @returns whether the opt-out is new; of two concurrent calls, one gets true.
   */
  async record(tx: Transaction, scope: TenantScope, recipient: OptOutRecipient, now: Date): Promise<boolean> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [recipient.contactId], true);
    if (!contact) return false;
    const wasOptedOut = await this.hasOptedOut(tx, scope, recipient);
    await this.storeFor(tx, scope, contact, now, namesOfAddress(recipient.sentTo));
    if (contact.subscriptionStatus === 'subscribed')
      await this.store.setStatus(tx, scope, contact, 'unsubscribed', now);
    return !wasOptedOut;
  }

  /**
   * Whether the person behind a contact has already opted out, also at the address the email was sent to, so that
   * `record` would change nothing.
   */
  async hasOptedOut(
    tx: Transaction,
    scope: TenantScope,
    { contactId, sentTo }: OptOutRecipient,
  ): Promise<boolean> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId], false);
    if (!contact) return false;
    const [sentToName] = namesOfAddress(sentTo);
    const isPresent = namesOf(contact).some(
      ({ kind, text }) => kind === sentToName?.kind && text === sentToName.text,
    );
    if (sentToName && !isPresent && !(await this.isStored(tx, scope, [sentToName]))) return false;
    if (contact.subscriptionStatus === 'unsubscribed') return true;
    if (!isErased(contact)) return this.isStored(tx, scope, namesOf(contact));
    const digests = await this.repository.digestsOfErased(tx, scope, contact.id);
    const hexadecimal = digests.map((digest) => digest.toString('hex'));
    return (await this.repository.among(tx, scope, hexadecimal)).length > 0;
  }

  /**
   * Stores the opt-out of the person behind a contact whose record is about to lose it.
   * @param others further names of the person.
   */
  async storeFor(
    tx: Transaction,
    scope: TenantScope,
    contact: Contact,
    now: Date,
    others: readonly OptOutName[] = [],
  ): Promise<void> {
    const erased = isErased(contact) ? await this.repository.digestsOfErased(tx, scope, contact.id) : [];
    const names = isErased(contact) ? others : [...namesOf(contact), ...others];
    const digests = [...erased, ...(await this.digestsToStore(tx, scope, names))];
    await this.repository.insert(tx, scope, digests, now);
  }

  /** Stores opt-outs for these names, whether or not a contact has them. Idempotent. */
  async storeNames(
    tx: Transaction,
    scope: TenantScope,
    names: readonly OptOutName[],
    now: Date,
  ): Promise<void> {
    await this.repository.insert(tx, scope, await this.digestsToStore(tx, scope, names), now);
  }

  /**
   * Stores hashes of the contact's names before it is erased, so that the link of an old email still opts the person
   * out. Also stores the opt-out in its record.
   */
  async storeBeforeErasure(tx: Transaction, scope: TenantScope, contact: Contact, now: Date): Promise<void> {
    if (contact.subscriptionStatus === 'unsubscribed') await this.storeFor(tx, scope, contact, now);
    await this.repository.storeErased(
      tx,
      scope,
      contact.id,
      await this.digestsToStore(tx, scope, namesOf(contact)),
    );
  }

  /**
   * The changes, with contacts unsubscribed whose new identifier or address has opted out. It runs one query for the
   * whole set, and none if no change can be affected.
   */
  async apply<Change extends ContactChange>(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly Change[],
  ): Promise<readonly Change[]> {
    const contacts = changes.filter(newlyAllowsMail).map(({ contact }) => contact);
    const optedOut = await this.among(tx, scope, contacts);
    if (optedOut.size === 0) return changes;
    return changes.map((change) =>
      newlyAllowsMail(change) && optedOut.has(change.contact.id) ? unsubscribing(change) : change,
    );
  }

  /**
   * The changes, with contacts unsubscribed that the caller knows have opted out. The opt-outs are stored for their
   * identifiers and addresses.
   */
  async storeAndApply<Change extends ContactChange>(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly Change[],
    isOut: (change: Change) => boolean,
    now: Date,
  ): Promise<readonly Change[]> {
    const names = changes.filter(isOut).flatMap(({ contact }) => namesOf(contact));
    await this.storeNames(tx, scope, names, now);
    return changes.map((change) => {
      const { subscriptionStatus } = change.contact;
      // A deleted contact that the change does not revive stays deleted.
      if (!isOut(change) || subscriptionStatus !== 'subscribed') return change;
      const unsubscribed = unsubscribing(change);
      return { ...unsubscribed, contact: { ...unsubscribed.contact, updatedAt: now } };
    });
  }

  /** The ids of those whose identifier or address has opted out. */
  async among(tx: Transaction, scope: TenantScope, addressees: readonly Addressee[]): Promise<Set<string>> {
    if (addressees.length === 0) return new Set();
    if (addressees.length >= MIN_CONTACTS_TO_PRECHECK && !(await this.repository.any(tx, scope)))
      return new Set();
    const idsByDigest = new Map<string, string[]>();
    for (const addressee of addressees)
      for (const name of namesOf(addressee))
        for (const digest of this.digests.toFind(scope, name)) {
          const ids = idsByDigest.get(digest);
          if (ids) ids.push(addressee.id);
          else idsByDigest.set(digest, [addressee.id]);
        }
    const found = await this.repository.among(tx, scope, [...idsByDigest.keys()]);
    return new Set(found.flatMap((digest) => idsByDigest.get(digest) ?? []));
  }

  /**
   * The person behind a contact opts in again with a new consent: mail may be sent to its identifier and current
   * address again.
   * @returns whether it had opted out; a deleted contact stays deleted.
   */
  async optIn(tx: Transaction, scope: TenantScope, contactId: string, now: Date): Promise<boolean> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId], true);
    if (!contact || isErased(contact)) return false;
    const digests = namesOf(contact).flatMap((name) => this.digests.toFind(scope, name));
    const removed = await this.repository.remove(tx, scope, digests);
    if (contact.subscriptionStatus !== 'unsubscribed') return removed > 0;
    await this.store.setStatus(tx, scope, contact, 'subscribed', now);
    return true;
  }

  /** Whether one of the names has opted out. */
  private async isStored(
    tx: Transaction,
    scope: TenantScope,
    names: readonly OptOutName[],
  ): Promise<boolean> {
    const digests = names.flatMap((name) => this.digests.toFind(scope, name));
    return (await this.repository.among(tx, scope, digests)).length > 0;
  }

  private async digestsToStore(
    tx: Transaction,
    scope: TenantScope,
    names: readonly OptOutName[],
  ): Promise<Buffer[]> {
    const [fingerprint] = this.digests.fingerprints();
    if (fingerprint && names.length > 0) await this.repository.recordKey(tx, fingerprint);
    return names.map((name) => this.digests.toStore(scope, name));
  }
}
