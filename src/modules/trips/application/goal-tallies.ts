/**
 * Counts goals' conversions per hour as they are recorded, and deletes conversions that only count expired events.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import { DeletedEventsListener } from '../../events/application/deleted-events.listener.js';
import {
  changesOfConversion,
  summedConversions,
  type Conversion,
  type ConversionChange,
} from '../domain/conversions.js';
import { GoalConversionRepository } from '../persistence/goal-conversion.repository.js';
import { RecordedConversionsListener } from './recorded-conversions.listener.js';
import { inEachOf, type OfTenant } from './tenant-changes.js';

@Injectable()
export class TallyConversions
  extends RecordedConversionsListener
  implements LastWork<OfTenant<ConversionChange>>
{
  readonly name = 'goal hours';

  constructor(private readonly conversions: GoalConversionRepository) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, recorded: readonly Conversion[]): Promise<void> {
    const changes = summedConversions(recorded.flatMap(changesOfConversion));
    tx.beforeCommit(
      this,
      changes.map((item) => ({ scope, item })),
    );
  }

  async store(tx: Transaction, items: readonly OfTenant<ConversionChange>[]): Promise<void> {
    await inEachOf(tx, items, (scope, changes) =>
      this.conversions.add(tx, scope, summedConversions(changes)),
    );
  }
}

/**
 * A conversion that counts a trip is stored as long as the trip, so that the trip never counts again. The counts per
 * hour always stay.
 */
@Injectable()
export class ForgetConversions extends DeletedEventsListener {
  constructor(private readonly conversions: GoalConversionRepository) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, eventIds: readonly string[]): Promise<void> {
    await this.conversions.forget(tx, scope, eventIds);
  }
}
