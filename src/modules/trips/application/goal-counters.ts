/**
 * Counts goals' conversions per hour as they are recorded, and deletes conversions that only count expired events.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import { DeletedEventsListener } from '../../events/application/deleted-events.listener.js';
import {
  conversionDeltas,
  sumConversionDeltas,
  type Conversion,
  type ConversionDelta,
} from '../domain/conversions.js';
import { GoalConversionRepository } from '../persistence/goal-conversion.repository.js';
import { forEachEnvironment, type TenantItem } from './tenant-items.js';

@Injectable()
export class ConversionCounters implements BeforeCommitWork<TenantItem<ConversionDelta>> {
  readonly name = 'goal hours';

  constructor(private readonly conversions: GoalConversionRepository) {}

  /** Counts conversions. Each trip and each event counts once per goal, and before the goal ends the trip. */
  count(tx: Transaction, scope: TenantScope, recorded: readonly Conversion[]): void {
    const deltas = sumConversionDeltas(recorded.flatMap(conversionDeltas));
    tx.beforeCommit(
      this,
      deltas.map((item) => ({ scope, item })),
    );
  }

  async store(tx: Transaction, items: readonly TenantItem<ConversionDelta>[]): Promise<void> {
    await forEachEnvironment(tx, items, (scope, deltas) =>
      this.conversions.add(tx, scope, sumConversionDeltas(deltas)),
    );
  }
}

/**
 * A conversion that counts a trip is stored as long as the trip, so that the trip never counts again. The counts per
 * hour always stay.
 */
@Injectable()
export class DeleteExpiredConversions extends DeletedEventsListener {
  constructor(private readonly conversions: GoalConversionRepository) {
    super();
  }

  override async handle(tx: Transaction, scope: TenantScope, eventIds: readonly string[]): Promise<void> {
    await this.conversions.deleteOfEvents(tx, scope, eventIds);
  }
}
