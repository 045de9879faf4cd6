/** Records how many of the trips that started in an hour have reached a step of their flow; funnels read this. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { StepDeltaRepository, type StepDelta } from '../persistence/step-delta.repository.js';

@Injectable()
export class StepDeltas {
  constructor(private readonly repository: StepDeltaRepository) {}

  /** Adds deltas, in the transaction that runs the steps. */
  async add(tx: Transaction, scope: TenantScope, deltas: readonly StepDelta[]): Promise<void> {
    await this.repository.add(tx, scope, deltas);
  }
}
