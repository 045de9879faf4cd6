/**
 * Erases a contact's values from its trips. Of a contact with thousands of trips, the rest is erased in batches after
 * the request (`trip-sweeps.ts`); until then, explanations no longer show the values (`trip-explanations.ts`).
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataKeeper, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { TripStoryRepository } from '../persistence/trip-story.repository.js';
import { TripSweepRepository } from '../persistence/trip-sweep.repository.js';

/** Maximum number of trips whose trails are cleared in one transaction. */
export const TRAILS_AT_ONCE = 2_000;

@Injectable()
export class TripErasure extends PersonalDataKeeper {
  readonly rows = 'trips';

  constructor(
    private readonly stories: TripStoryRepository,
    private readonly sweeps: TripSweepRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    const { trips, trails } = await this.stories.countTrails(tx, scope, contactId);
    if (trips <= TRAILS_AT_ONCE) await this.stories.forgetValues(tx, scope, contactId, null, TRAILS_AT_ONCE);
    else await this.sweeps.ask(tx, scope, { kind: 'contact_erased', subjectId: contactId }, this.clock.now());
    return trails;
  }
}
