/** The subscriptions that pay for a workspace, for its owner to read and to confirm. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { WorkspaceBilling } from '../../workspaces/application/workspace-billing.js';
import { billingRecordOf, type BillingRecord } from '../../workspaces/domain/workspace.js';
import { outcomeOfConfirmation } from '../domain/billing-outcome.js';
import { subscriptionStatus, type Subscription } from '../domain/subscription.js';
import { SubscriptionRepository } from '../persistence/subscription.repository.js';
import { BillingChanges } from './billing-changes.js';

/** Maximum subscriptions that are shown. */
const MAX_SHOWN = 100;

@Injectable()
export class SubscriptionConfirmation {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly workspaces: WorkspaceBilling,
    private readonly changes: BillingChanges,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** The workspace's subscriptions, confirmed ones first, at most 100. */
  async list(scope: WorkspaceScope): Promise<Subscription[]> {
    return this.database.listInScope(scope, (tx) => this.subscriptions.list(tx, scope, [], MAX_SHOWN));
  }

  /**
   * Confirms a subscription as the workspace's own, so that it may also suspend the workspace or lower its plan.
   * @throws DomainError not_found; conflict if the subscription is not currently paid: the workspace could only lose by
   * it.
   */
  async confirm(scope: WorkspaceScope, id: string, author: Author): Promise<BillingRecord> {
    if (!isStorableText(id)) throw noSubscription();
    return this.database.inScope(scope, async (tx) => {
      const state = await this.workspaces.lock(tx, scope);
      if (!state) throw noSubscription();
      const known = await this.changes.knownSubscriptions(tx, scope, state, id);
      const subscription = known.find((one) => one.id === id);
      if (!subscription) throw noSubscription();
      if (subscription.confirmedBy !== null) return billingRecordOf(state);
      if (subscriptionStatus(subscription) !== 'active')
        throw new DomainError('conflict', 'Only a paid subscription can be confirmed.');
      const outcome = outcomeOfConfirmation(state, known, subscription);
      await this.changes.store(tx, scope, state, outcome, author, this.clock.now());
      await this.audit.record(tx, scope, author, {
        action: 'subscription_confirmed',
        subjectId: scope.workspaceId,
        before: null,
        after: { subscriptionId: id, plan: subscription.plan },
      });
      return outcome.record;
    });
  }
}

function noSubscription(): DomainError {
  return new DomainError('not_found', 'No such subscription exists.');
}
