/** Links workspaces to customers of the payment provider, as the operator sets them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { WorkspaceBilling } from '../../workspaces/application/workspace-billing.js';
import { billingRecordOf, type BillingRecord } from '../../workspaces/domain/workspace.js';
import { BillingChanges } from './billing-changes.js';

@Injectable()
export class CustomerLinks {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceBilling,
    private readonly changes: BillingChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Assigns the customer's events to the workspace.
   * @param customerId null removes the link.
   * @throws DomainError conflict if another workspace is linked to that customer; not_found.
   */
  async link(scope: WorkspaceScope, customerId: string | null, author: Author): Promise<BillingRecord> {
    const other = customerId === null ? undefined : await this.workspaces.workspaceOf('customer', customerId);
    if (other !== undefined && other !== scope.workspaceId)
      throw new DomainError(
        'conflict',
        `The customer ${customerId} is already linked to the workspace ${other}.`,
      );
    return this.database.inScope(scope, async (tx) => {
      const state = await this.workspaces.lock(tx, scope);
      if (!state) throw new DomainError('not_found', 'No such workspace exists.');
      const record = { ...billingRecordOf(state), paymentCustomerId: customerId };
      const { grantedPlan } = state;
      await this.changes.storeRecord(tx, scope, state, { record, grantedPlan }, author, this.clock.now());
      return record;
    });
  }
}
