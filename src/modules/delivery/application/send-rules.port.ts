/**
 * The current settings of flow steps for holding messages, section 2.3, regardless of the version that a trip uses. A
 * port, because flows and delivery do not know each other; bound in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { StepRules } from '../domain/send-hours-settings.js';

export abstract class SendRules {
  /** The current steps of flows, by flow. Usually answered from a cache, without a query. */
  abstract of(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StepRules>>;

  /** Like `of`, but read again, as this transaction sees it. */
  abstract read(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StepRules>>;
}
