/**
 * Erases a contact's values from its trips. Of a contact with thousands of trips, the rest is erased in batches after
 * the request (`trip-sweeps.ts`); until then, explanations no longer show the values (`trip-explanations.ts`).
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { TripHistoryRepository } from '../persistence/trip-history.repository.js';
import { TripSweepRepository } from '../persistence/trip-sweep.repository.js';

/** Maximum number of trips whose trails are cleared in one transaction. */
export const MAX_ERASED_TRIPS_PER_BATCH = 2_000;

@Injectable()
export class TripErasure extends PersonalDataEraser {
  readonly rows = 'trips';

  constructor(
    private readonly histories: TripHistoryRepository,
    private readonly sweeps: TripSweepRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    const { trips, trails } = await this.histories.countHistories(tx, scope, contactId);
    if (trips <= MAX_ERASED_TRIPS_PER_BATCH)
      await this.histories.eraseValues(tx, scope, contactId, null, MAX_ERASED_TRIPS_PER_BATCH);
    else
      await this.sweeps.request(
        tx,
        scope,
        { kind: 'contact_erased', subjectId: contactId },
        this.clock.now(),
      );
    return trails;
  }
}
