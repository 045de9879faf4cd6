/** Erases personal data from messages. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { EmailErasureRepository } from '../persistence/email-erasure.repository.js';

@Injectable()
export class EmailErasure extends PersonalDataEraser {
  readonly rows = 'emails';

  constructor(private readonly emails: EmailErasureRepository) {
    super();
  }

  override async erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    const { emails, sending } = await this.emails.anonymise(tx, scope, contactId);
    // The outcome of the attempt, which includes the address, would be stored after the erasure.
    if (sending > 0)
      throw new DomainError('conflict', 'A message to the contact is being sent: try again in a moment.');
    return emails;
  }
}
