/** The segments' part of an erasure. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  PersonalData,
  type ErasedPerson,
  type ErasedRows,
} from '../../contacts/application/personal-data.port.js';
import { SegmentErasureRepository } from '../persistence/segment-erasure.repository.js';

@Injectable()
export class SegmentErasure extends PersonalData {
  constructor(private readonly segments: SegmentErasureRepository) {
    super();
  }

  override async erase(
    tx: Transaction,
    scope: TenantScope,
    { contactId }: ErasedPerson,
  ): Promise<Partial<ErasedRows>> {
    return { segments: await this.segments.forget(tx, scope, contactId) };
  }
}
