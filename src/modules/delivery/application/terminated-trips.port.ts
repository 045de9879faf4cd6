/**
 * Which trips were ended from outside, so that their messages are no longer wanted. A port, because delivery does not
 * know trips; bound in processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class TerminatedTrips {
  /** The trips that were ended before the end of their flow, as far as that is committed. */
  abstract among(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
}
