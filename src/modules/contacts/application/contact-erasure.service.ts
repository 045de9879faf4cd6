/**
 * Erasure for privacy law: removes all data about a person from every module in one transaction. The rows stay under
 * a pseudonym, so counts do not change. Data that the application sends later creates a new contact, but an opt-out
 * of the person still applies (`optOuts.ts`).
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
import { OptOuts } from './opt-outs.js';

export interface ErasedContact {
  readonly id: string;
  /** The pseudonym of the erased contact. */
  readonly externalId: string;
  /** How many rows had data about the person, by kind, such as `events`. */
  readonly rows: ReadonlyMap<string, number>;
}

@Injectable()
export class ContactErasureService {
  constructor(
    private readonly database: Database,
    private readonly service: ContactService,
    private readonly contacts: ContactRepository,
    private readonly optOuts: OptOuts,
    private readonly store: ContactStore,
    private readonly counts: ContactCountRepository,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases the person with this record id or external_id, even if the contact is deleted.
   * @throws DomainError contact_not_found, also if the person was erased before; conflict while a message to the
   *   person is being sent: nothing is erased then, and the caller may retry a moment later.
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
      await this.optOuts.storeBeforeErasure(tx, scope, contact, now);
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
