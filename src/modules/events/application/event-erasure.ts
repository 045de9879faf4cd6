/** Erases personal data from events. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { EventErasureRepository } from '../persistence/event-erasure.repository.js';
import { lockProcessing } from '../persistence/processing-lock.js';

@Injectable()
export class EventErasure extends PersonalDataEraser {
  readonly rows = 'events';

  constructor(private readonly events: EventErasureRepository) {
    super();
  }

  override async erase(
    tx: Transaction,
    scope: TenantScope,
    { externalId, pseudonym }: ErasedPerson,
  ): Promise<number> {
    // A worker that is processing the person's events has them in memory and would create the contact again.
    await lockProcessing(tx, scope);
    const ids = await this.events.anonymise(tx, scope, externalId, pseudonym);
    await this.events.deleteKeys(tx, scope, ids);
    await this.events.deleteLatest(tx, scope, externalId);
    return ids.length;
  }
}
