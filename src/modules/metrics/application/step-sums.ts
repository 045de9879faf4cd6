/** Records how many of the trips that started in an hour have reached a step of their flow; funnels read this. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { StepChangeRepository, type StepChange } from '../persistence/step-change.repository.js';

@Injectable()
export class StepSums {
  constructor(private readonly changes: StepChangeRepository) {}

  /** Adds deltas, in the transaction that runs the steps. */
  async note(tx: Transaction, scope: TenantScope, changes: readonly StepChange[]): Promise<void> {
    await this.changes.add(tx, scope, changes);
  }
}
