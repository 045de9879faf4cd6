/** The trips' part of an erasure. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataKeeper, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { TripStoryRepository } from '../persistence/trip-story.repository.js';

@Injectable()
export class TripErasure extends PersonalDataKeeper {
  readonly rows = 'trips';

  constructor(private readonly stories: TripStoryRepository) {
    super();
  }

  override erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    return this.stories.forgetValues(tx, scope, contactId);
  }
}
