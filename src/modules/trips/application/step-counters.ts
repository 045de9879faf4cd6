/**
 * Counts how often each step of a flow was taken, and reads the counts together with the number of trips at each
 * step. Counters are updated as the last action before the commit, as in trip-tallies.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import type { StepCounts } from '../../flows/domain/flow-graph.js';
import { StepDeltaRepository } from '../../metrics/persistence/step-delta.repository.js';
import {
  stepCountDeltas,
  deltasByHour,
  deltasByBranch,
  stepCountsById,
  sumStepDeltas,
  type StepCountDelta,
  type TripTrace,
} from '../domain/step-count-delta.js';
import { StepCounterRepository } from '../persistence/step-counter.repository.js';
import { forEachEnvironment, type TenantItem } from './tenant-items.js';

@Injectable()
export class StepCounters implements BeforeCommitWork<TenantItem<StepCountDelta>> {
  readonly name = 'step tallies';

  constructor(
    private readonly counters: StepCounterRepository,
    private readonly rollups: StepDeltaRepository,
  ) {}

  /** Counts the steps that trips have taken; the counters change at the end of the transaction. */
  add(tx: Transaction, scope: TenantScope, trips: readonly TripTrace[]): void {
    tx.beforeCommit(
      this,
      sumStepDeltas(stepCountDeltas(trips)).map((item) => ({ scope, item })),
    );
  }

  async store(tx: Transaction, items: readonly TenantItem<StepCountDelta>[]): Promise<void> {
    await forEachEnvironment(tx, items, async (scope, counts) => {
      await this.counters.add(tx, scope, deltasByBranch(counts));
      await this.rollups.add(tx, scope, deltasByHour(counts));
    });
  }

  /**
   * Counts of what happened at the steps of a flow in this environment, and of trips now at each step, by step id.
   */
  async ofFlow(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
  ): Promise<ReadonlyMap<number, StepCounts>> {
    const taken = await this.counters.ofFlow(tx, scope, flowId);
    return stepCountsById(taken, await this.counters.tripsAtSteps(tx, scope, flowId));
  }
}
