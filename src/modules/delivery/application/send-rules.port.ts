/**
 * What flows say today of how their steps' messages are to be held back, section 2.3, whichever version a trip goes by. A
 * port, since flows know nothing of delivery and delivery nothing of flows; joined in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { StepRules } from '../domain/clock-settings.js';

export abstract class SendRules {
  /** The steps of flows as they stand, by flow; known without a query as a rule. */
  abstract of(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StepRules>>;

  /** As `of`, read anew, with what this transaction sees. */
  abstract read(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StepRules>>;
}
