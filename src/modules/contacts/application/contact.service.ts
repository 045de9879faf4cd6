/** What applications do with contacts, sections 2.11 and 4.10. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { Contact } from '../domain/contact.js';
import type { ContactInput } from '../domain/read-contact.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactUpserts, type UpsertedContact } from './contact-upserts.js';

/** Contacts that are looked through for an email. */
const EMAIL_REACH = 5_000;

@Injectable()
export class ContactService {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactRepository,
    private readonly upserts: ContactUpserts,
    private readonly clock: Clock,
  ) {}

  /** Creates the contact of this external_id or merges the changes into it. */
  async upsert(scope: TenantScope, { externalId, changes }: ContactInput): Promise<UpsertedContact> {
    const upserted = await this.database.inScope(scope, (tx) =>
      this.upserts.apply(tx, scope, new Map([[externalId, [changes]]]), this.clock.now()),
    );
    const contact = upserted.get(externalId);
    if (!contact) throw new DomainError('contact_not_found', `No contact ${externalId} after its upsert.`);
    return contact;
  }

  /** The contacts of the ids that exist, in any order. */
  async byIds(scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
    return this.database.inScope(scope, (tx) => this.contacts.find(tx, scope, 'id', ids, false));
  }

  /** The contact that the text names by record id or external_id; undefined when there is none. */
  async byIdOrExternalId(scope: TenantScope, id: string): Promise<Contact | undefined> {
    return this.database.inScope(scope, async (tx) => {
      const [byId] = isUuid(id) ? await this.contacts.find(tx, scope, 'id', [id], false) : [];
      return byId ?? (await this.contacts.find(tx, scope, 'external_id', [id], false))[0];
    });
  }

  /**
   * The newest contact of each email, by email in lower case; of a large workspace only the newest contacts are looked
   * through. Deleted ones are left out.
   */
  async recentByEmail(scope: TenantScope, emails: readonly string[]): Promise<Map<string, Contact>> {
    const wanted = emails.map((email) => email.toLowerCase());
    if (wanted.length === 0) return new Map();
    const contacts = await this.database.inScope(scope, (tx) =>
      this.contacts.recentByEmail(tx, scope, wanted, EMAIL_REACH),
    );
    // Of several the newest, which is written last.
    return new Map(
      contacts.reverse().map((contact) => [(contact.email ?? '').trim().toLowerCase(), contact]),
    );
  }

  /** A page of contacts, newest first, and how many there are. */
  async list(
    scope: TenantScope,
    page: { limit: number; offset: number },
  ): Promise<{ contacts: Contact[]; total: number }> {
    return this.database.inScope(scope, (tx) => this.contacts.list(tx, scope, page));
  }
}
