/** Stores the result of a workspace's subscriptions, and logs who changed it. */
import { Injectable } from '@nestjs/common';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { WorkspaceBilling } from '../../workspaces/application/workspace-billing.js';
import { billingRecordOf, type BillingRecord, type BillingState } from '../../workspaces/domain/workspace.js';
import type { BillingOutcome } from '../domain/billing-outcome.js';
import { unreportedSubscription, type Subscription } from '../domain/subscription.js';
import { SubscriptionRepository } from '../persistence/subscription.repository.js';

@Injectable()
export class BillingChanges {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly workspaces: WorkspaceBilling,
    private readonly audit: AuditLog,
  ) {}

  /**
   * All known subscriptions, including the workspace's current one.
   * @param id of a subscription that must be included.
   */
  async knownSubscriptions(
    tx: Transaction,
    scope: WorkspaceScope,
    { plan, paymentSubscriptionId: currentId }: BillingState,
    id: string | null,
  ): Promise<Subscription[]> {
    const known = await this.subscriptions.list(
      tx,
      scope,
      [id, currentId].filter((one) => one !== null),
    );
    if (currentId === null || known.some((one) => one.id === currentId)) return known;
    const reported = unreportedSubscription(currentId, plan);
    // Stored so that the end of another subscription does not take its place.
    await this.subscriptions.store(tx, scope, reported);
    return [...known, reported];
  }

  /** @param state the workspace before the change, locked. */
  async store(
    tx: Transaction,
    scope: WorkspaceScope,
    state: BillingState,
    { record, grantedPlan, subscription }: Omit<BillingOutcome, 'beginsPeriod'>,
    author: Author,
    now: Date,
  ): Promise<void> {
    await this.subscriptions.store(tx, scope, subscription);
    await this.storeRecord(tx, scope, state, { record, grantedPlan }, author, now);
  }

  /** Like `store`, but without a changed subscription. */
  async storeRecord(
    tx: Transaction,
    scope: WorkspaceScope,
    state: BillingState,
    { record, grantedPlan }: Pick<BillingOutcome, 'record' | 'grantedPlan'>,
    author: Author,
    now: Date,
  ): Promise<void> {
    const before = billingRecordOf(state);
    const hasChanged = !isSame(before, record);
    if (!hasChanged && grantedPlan === state.grantedPlan) return;
    await this.workspaces.store(tx, scope, record, grantedPlan, now);
    if (!hasChanged) return;
    await this.audit.record(tx, scope, author, {
      action: 'billing_changed',
      subjectId: scope.workspaceId,
      before: { ...before },
      after: { ...record },
    });
  }
}

function isSame(one: BillingRecord, other: BillingRecord): boolean {
  return (
    one.plan === other.plan &&
    one.status === other.status &&
    one.suspendedReason === other.suspendedReason &&
    one.paymentSubscriptionId === other.paymentSubscriptionId &&
    one.paymentCustomerId === other.paymentCustomerId
  );
}
