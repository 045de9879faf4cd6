/**
 * Which trips were ended from outside, so that nobody wants their messages any more. A port, since delivery knows nothing
 * of trips; joined in processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class TripsCutShort {
  /** Those of the trips that were ended before their flow's end, as far as that has been committed. */
  abstract among(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
}
