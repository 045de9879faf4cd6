/** Writes deltas for steps that trips have reached; triggers write all other deltas. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, momentArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';

export interface StepDelta {
  readonly flowId: string;
  readonly stepId: number;
  /** The start of the hour in which the trips started. */
  readonly hour: Date;
  readonly taken: number;
}

@Injectable()
export class StepDeltaRepository {
  /** Adds deltas, in the transaction that runs the steps. */
  async add(tx: Transaction, scope: TenantScope, deltas: readonly StepDelta[]): Promise<void> {
    if (deltas.length === 0) return;
    await tx.execute(
      `INSERT INTO step_changes (workspace_id, environment, id, at, flow_id, step_id, trips)
       SELECT $1, $2, gen_random_uuid(), u.* FROM unnest($3::timestamptz[], $4::uuid[], $5::int[], $6::int[]) AS u`,
      [
        scope.workspaceId,
        scope.environment,
        momentArray(deltas.map(({ hour }) => hour)),
        uuidArray(deltas.map(({ flowId }) => flowId)),
        integerArray(deltas.map(({ stepId }) => stepId)),
        integerArray(deltas.map(({ taken }) => taken)),
      ],
      'step-changes-add',
    );
  }
}
