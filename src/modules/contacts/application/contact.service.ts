/** Operations of applications on contacts, sections 2.11 and 4.10. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { isStorableText } from '../../../kernel/json.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import { mergeWithinLimits } from '../domain/limited-merge.js';
import { newContact, type Contact } from '../domain/contact.js';
import type { ContactInput } from '../domain/read-contact.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactSearchRepository } from '../persistence/contact-search.repository.js';
import { ContactStore } from './contact-store.js';
import { ContactUpserts, type UpsertedContact } from './contact-upserts.js';
import { OptOuts } from './opt-outs.js';
import { cannotSubscribe, optedOutBy, StatusRequests } from './status-requests.js';

@Injectable()
export class ContactService {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactRepository,
    private readonly counts: ContactCountRepository,
    private readonly search: ContactSearchRepository,
    private readonly upserts: ContactUpserts,
    private readonly optOuts: OptOuts,
    private readonly statusRequests: StatusRequests,
    private readonly store: ContactStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the contact with this external_id, or merges the changes into it.
   * @param plan the workspace's; its limit on contacts applies.
   * @throws DomainError plan_limit_reached; invalid_field if the contact would exceed its size limits, or would be
   *   subscribed after it opted out.
   */
  async upsert(scope: TenantScope, plan: string, input: ContactInput): Promise<UpsertedContact> {
    const { externalId, changes } = input;
    const { caps } = planOf(plan);
    const { contacts, current } = await this.database.inScope(scope, async (tx) => {
      await this.assertMaySubscribe(tx, scope, input);
      return this.upserts.apply(tx, scope, new Map([[externalId, [changes]]]), {
        now: this.clock.now(),
        maximum: caps.contacts,
        optOuts: optedOutBy([input]),
      });
    });
    const contact = contacts.get(externalId);
    if (!contact) throw limitReached('contacts', current, planOf(plan));
    const rejected = contact.rejected.get(0);
    if (rejected) throw invalidFields([rejected]);
    return contact;
  }

  /**
   * The contact as an upsert would leave it now; stores nothing.
   * @throws DomainError invalid_field if the contact would exceed its size limits.
   */
  async previewUpsert(scope: TenantScope, { externalId, changes }: ContactInput): Promise<Contact> {
    const now = this.clock.now();
    const [known] = await this.database.inScope(scope, (tx) =>
      this.contacts.find(tx, scope, 'externalId', [externalId], false),
    );
    const { contact, rejected } = mergeWithinLimits(
      known ?? newContact(uuidv7(now.getTime()), externalId, now),
      [changes],
      now,
    );
    if (rejected.size > 0) throw invalidFields([...rejected.values()]);
    return contact;
  }

  /**
   * Merges changes into a contact that exists and is not deleted.
   * @throws DomainError contact_not_found; invalid_field if the contact would exceed its size limits, or would be
   *   subscribed after it opted out.
   */
  async patch(scope: TenantScope, input: ContactInput): Promise<Contact> {
    const { externalId, changes, status } = input;
    return this.database.inScope(scope, async (tx) => {
      const known = await this.locked(tx, scope, externalId);
      if (!known || known.subscriptionStatus === 'deleted') throw externalIdNotFound(externalId);
      await this.assertMaySubscribe(tx, scope, input);
      const now = this.clock.now();
      const { rejected, ...merged } = mergeWithinLimits(known, [changes], now);
      if (rejected.size > 0) throw invalidFields([...rejected.values()]);
      const hasOptedOut = (): boolean => status === 'unsubscribed';
      const withOptOuts = await this.optOuts.storeAndApply(
        tx,
        scope,
        [{ ...merged, before: known }],
        hasOptedOut,
        now,
      );
      const changed = withOptOuts.filter(({ contact }) => contact !== known);
      const checked = await this.optOuts.apply(tx, scope, changed);
      if (checked.length > 0) await this.store.update(tx, scope, checked, now);
      return checked[0]?.contact ?? known;
    });
  }

  /**
   * Deletes a contact: it gets no mail and starts no trip until an upsert revives it. Idempotent.
   * @throws DomainError contact_not_found.
   */
  async remove(scope: TenantScope, externalId: string): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      const known = await this.locked(tx, scope, externalId);
      if (!known) throw externalIdNotFound(externalId);
      if (known.subscriptionStatus === 'deleted') return;
      const now = this.clock.now();
      if (known.subscriptionStatus === 'unsubscribed') await this.optOuts.storeFor(tx, scope, known, now);
      await this.store.setStatus(tx, scope, known, 'deleted', now);
      await this.counts.add(tx, scope, -1);
    });
  }

  /**
   * The contact with this record id or external_id.
   * @throws DomainError contact_not_found.
   */
  async get(scope: TenantScope, id: string): Promise<Contact> {
    const contact = await this.byIdOrExternalId(scope, id);
    if (!contact) throw contactNotFound(id);
    return contact;
  }

  /** The contacts with these ids that exist, in any order. */
  async byIds(scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
    return this.database.inScope(scope, (tx) => this.contacts.find(tx, scope, 'id', ids, false));
  }

  /** The contact with this record id or external_id; undefined if there is none. */
  async byIdOrExternalId(scope: TenantScope, id: string): Promise<Contact | undefined> {
    return this.database.inScope(scope, async (tx) => {
      if (!isStorableText(id)) return undefined;
      const [byId] = isUuid(id) ? await this.contacts.find(tx, scope, 'id', [id], false) : [];
      return byId ?? (await this.contacts.find(tx, scope, 'externalId', [id], false))[0];
    });
  }

  /** The newest contact of each email, by lower-case email, without deleted ones. */
  async newestByEmail(scope: TenantScope, emails: readonly string[]): Promise<Map<string, Contact>> {
    const normalized = emails.map((email) => email.toLowerCase());
    if (normalized.length === 0) return new Map();
    const contacts = await this.search.newestByEmail(scope, normalized);
    return new Map(contacts.map((contact) => [(contact.email ?? '').toLowerCase(), contact]));
  }

  private async assertMaySubscribe(tx: Transaction, scope: TenantScope, input: ContactInput): Promise<void> {
    if ((await this.statusRequests.rejectedAmong(tx, scope, [input])).size > 0) throw cannotSubscribe();
  }

  private async locked(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
  ): Promise<Contact | undefined> {
    // A text with NUL is not an external_id, and PostgreSQL rejects it.
    if (!isStorableText(externalId)) return undefined;
    const [contact] = await this.contacts.find(tx, scope, 'externalId', [externalId], true);
    return contact;
  }
}

/** The error for an id that no contact has. */
export function contactNotFound(id: string): DomainError {
  return new DomainError('contact_not_found', `No contact has the ID or external_id ${id}.`);
}

function externalIdNotFound(externalId: string): DomainError {
  return new DomainError('contact_not_found', `No contact has the external_id ${externalId}.`);
}
