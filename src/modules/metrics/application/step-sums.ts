/** Notes how many of the trips that began in an hour have come to a step of their flow: what funnels ask for. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { StepChangeRepository, type StepChange } from '../persistence/step-change.repository.js';

@Injectable()
export class StepSums {
  constructor(private readonly changes: StepChangeRepository) {}

  /** Adds to the sums, in the transaction that takes the steps. */
  async note(tx: Transaction, scope: TenantScope, changes: readonly StepChange[]): Promise<void> {
    await this.changes.add(tx, scope, changes);
  }
}
