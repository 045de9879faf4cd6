/** Erases a contact's data in feedback: pending feedback loses its personal data. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { FeedbackRepository } from '../persistence/feedback.repository.js';

@Injectable()
export class FeedbackErasure extends PersonalDataEraser {
  readonly rows = 'feedback';

  constructor(private readonly feedback: FeedbackRepository) {
    super();
  }

  override erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    return this.feedback.anonymise(tx, scope, contactId);
  }
}
