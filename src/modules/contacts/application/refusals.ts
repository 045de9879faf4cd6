/**
 * Keeps refusals of mail and applies them: `refuse` when a person unsubscribes, `heed` wherever contacts come, come
 * back or change their address, `among` when messages are about to go, `withdraw` when the person comes back.
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

/** Who may have refused: as much of a contact as that needs. */
export type Addressee = Pick<Contact, 'id' | 'externalId' | 'email'>;

/** Who refuses: the contact that an email was for, and where the email went, which may have been another address. */
export interface Refuser {
  readonly contactId: string;
  /** Null where nobody knows any more. */
  readonly sentTo: string | null;
}

/** From so many contacts on, hashing their names costs more than asking first whether the tenant has refusals. */
const WORTH_ASKING = 32;

@Injectable()
export class Refusals implements OnModuleInit {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly store: ContactStore,
    private readonly refusals: RefusalRepository,
    private readonly digests: RefusalDigests,
  ) {}

  /** @throws ConfigError when refusals were stored under a key that is not given any more: none could be found again. */
  async onModuleInit(): Promise<void> {
    const own = this.digests.fingerprints();
    const used = await this.refusals.keysUsed();
    if (!used.every((fingerprint) => own.some((known) => known.equals(fingerprint))))
      throw new ConfigError(
        'ENCRYPTION_KEY lacks a key that stored opt-outs need: add it back after the new key.',
      );
  }

  /** Of each key of refusals, the first one's first, whether anything is kept under it: such a one can never be given up. */
  async keysInUse(): Promise<boolean[]> {
    const used = await this.refusals.keysUsed();
    return this.digests.fingerprints().map((own) => used.some((fingerprint) => fingerprint.equals(own)));
  }

  /**
   * Keeps that the person behind a contact refuses mail, at its identifier, its present address and the one that the
   * email went to; of a contact that was erased, at those that it had. Once more changes nothing.
   * @returns whether that was news: of two who say so at once, one is told it.
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

  /** Whether the person behind a contact refuses mail already, also where the email went: to refuse changes nothing. */
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
   * Keeps the refusal of the person behind a contact that is about to tell of it no more.
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

  /** Keeps that people refuse mail at these names, whether or not there is a contact of theirs; once more changes nothing. */
  async keepNames(
    tx: Transaction,
    scope: TenantScope,
    names: readonly RefusableName[],
    now: Date,
  ): Promise<void> {
    await this.refusals.insert(tx, scope, await this.stored(tx, scope, names), now);
  }

  /**
   * Remembers what a contact is called before it is erased, so that the link of an old email refuses for the person
   * still, and keeps the refusal that its record tells of.
   */
  async beforeErasure(tx: Transaction, scope: TenantScope, contact: Contact, now: Date): Promise<void> {
    if (contact.subscriptionStatus === 'unsubscribed') await this.keep(tx, scope, contact, now);
    await this.refusals.rememberErased(tx, scope, contact.id, await this.stored(tx, scope, namesOf(contact)));
  }

  /**
   * The changes, with contacts unsubscribed whose new identifier or address refused mail. Asks nothing where nothing
   * could be news, and once for the whole set else.
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
   * The changes, with those contacts unsubscribed of whom the caller knows that they refuse mail, which is kept at their
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
      // A deleted contact that a change does not bring back stays deleted.
      if (!isOut(change) || subscriptionStatus !== 'subscribed') return change;
      const out = heeding(change);
      return { ...out, contact: { ...out.contact, updatedAt: now } };
    });
  }

  /** The ids of those whose identifier or address refused mail. */
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
   * The person behind a contact comes back, by a consent given anew: mail may go to its identifier and its present
   * address again.
   * @returns whether it refused mail until now; a contact that is deleted stays so.
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

  /** Whether one of the names has refused. */
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
