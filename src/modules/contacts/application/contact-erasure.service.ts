/**
 * Erasure for privacy law: removes what is known about a person, everywhere and at once, and keeps what counts: the
 * rows stay, under a name that says nothing. What the person's application sends later is new, but for a refusal of mail,
 * which holds for the person still (`refusals.ts`).
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../domain/contact.js';
import { isErased, pseudonymOf } from '../domain/pseudonym.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { ContactStore } from './contact-store.js';
import { ContactService, contactNotFound } from './contact.service.js';
import { PersonalData } from './personal-data.port.js';
import { Refusals } from './refusals.js';

export interface ErasedContact {
  readonly id: string;
  /** What it is called now. */
  readonly externalId: string;
  /** How many rows held something of the person, by what they are, such as `events`. */
  readonly rows: ReadonlyMap<string, number>;
}

@Injectable()
export class ContactErasureService {
  constructor(
    private readonly database: Database,
    private readonly service: ContactService,
    private readonly contacts: ContactRepository,
    private readonly refusals: Refusals,
    private readonly store: ContactStore,
    private readonly counts: ContactCountRepository,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases the person whom the text names by record id or external_id, whether deleted or not.
   * @throws DomainError contact_not_found, also when the person was erased before; conflict while a message to the
   *   person is on its way: nothing is erased then, and it may be tried again a moment later.
   */
  async erase(scope: TenantScope, id: string): Promise<ErasedContact> {
    const named = await this.service.get(scope, id);
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const person = {
        contactId: named.id,
        externalId: named.externalId,
        email: named.email,
        pseudonym: pseudonymOf(named.id),
      };
      const rows = await this.personalData.erase(tx, scope, person);
      const contact = await this.locked(tx, scope, named.id);
      if (!contact || isErased(contact)) throw contactNotFound(id);
      await this.refusals.beforeErasure(tx, scope, contact, now);
      await this.store.erase(tx, scope, contact, now);
      if (contact.subscriptionStatus !== 'deleted') await this.counts.add(tx, scope, -1);
      return { id: contact.id, externalId: person.pseudonym, rows };
    });
  }

  private async locked(tx: Transaction, scope: TenantScope, id: string): Promise<Contact | undefined> {
    const [contact] = await this.contacts.find(tx, scope, 'id', [id], true);
    return contact;
  }
}
