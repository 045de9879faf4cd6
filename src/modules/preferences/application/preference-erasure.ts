/** Erases a contact's preferences. The record of their changes stays, under an id that identifies no one. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { ContactPreferencesRepository } from '../persistence/contact-preferences.repository.js';

@Injectable()
export class PreferenceErasure extends PersonalDataEraser {
  readonly rows = 'preferences';

  constructor(private readonly preferences: ContactPreferencesRepository) {
    super();
  }

  override async erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    await this.preferences.lock(tx, scope, contactId);
    return this.preferences.remove(tx, scope, contactId);
  }
}
