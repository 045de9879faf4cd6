/** Erases a contact's data in segments. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { SegmentErasureRepository } from '../persistence/segment-erasure.repository.js';

@Injectable()
export class SegmentErasure extends PersonalDataEraser {
  readonly rows = 'segments';

  constructor(private readonly segments: SegmentErasureRepository) {
    super();
  }

  override async erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    return this.segments.deleteContact(tx, scope, contactId);
  }
}
