/**
 * Counts how often each step of a flow was taken, and reads the counts together with the number of trips at each
 * step. Counters are updated as the last action before the commit, as in trip-tallies.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import type { StepFigure } from '../../flows/domain/flow-graph.js';
import { StepSums } from '../../metrics/application/step-sums.js';
import {
  countsOf,
  countsOfHours,
  countsOfWays,
  figuresOf,
  summedCounts,
  type StepCount,
  type TripTrace,
} from '../domain/step-tally.js';
import { StepTallyRepository } from '../persistence/step-tally.repository.js';
import { inEachOf, type OfTenant } from './tenant-changes.js';

@Injectable()
export class StepFigures implements LastWork<OfTenant<StepCount>> {
  readonly name = 'step tallies';

  constructor(
    private readonly tallies: StepTallyRepository,
    private readonly sums: StepSums,
  ) {}

  /** Counts the steps that trips have taken; the counters change at the end of the transaction. */
  add(tx: Transaction, scope: TenantScope, trips: readonly TripTrace[]): void {
    tx.beforeCommit(
      this,
      summedCounts(countsOf(trips)).map((item) => ({ scope, item })),
    );
  }

  async store(tx: Transaction, items: readonly OfTenant<StepCount>[]): Promise<void> {
    await inEachOf(tx, items, async (scope, counts) => {
      await this.tallies.add(tx, scope, countsOfWays(counts));
      await this.sums.note(tx, scope, countsOfHours(counts));
    });
  }

  /**
   * Counts of what happened at the steps of a flow in this environment, and of trips now at each step, by step id.
   */
  async ofFlow(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
  ): Promise<ReadonlyMap<number, StepFigure>> {
    const taken = await this.tallies.ofFlow(tx, scope, flowId);
    return figuresOf(taken, await this.tallies.standing(tx, scope, flowId));
  }
}
