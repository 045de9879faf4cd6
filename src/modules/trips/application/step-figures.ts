/**
 * Keeps count of how often each step of a flow is taken, and answers it together with who stands there now. Counted is as
 * the last thing before the commit, as flows' trips are (trip-tallies).
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

  /** Counts the steps that trips have taken, in the transaction and at its end. */
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

  /** What has happened at the steps of a flow in this environment, and who stands there, by the steps' ids. */
  async ofFlow(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
  ): Promise<ReadonlyMap<number, StepFigure>> {
    const taken = await this.tallies.ofFlow(tx, scope, flowId);
    return figuresOf(taken, await this.tallies.standing(tx, scope, flowId));
  }
}
