/** Storage of the results of payments. */
import { Injectable } from '@nestjs/common';
import { camelKeys } from '../../../kernel/letter-case.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { BillingRecord, BillingState, WorkspaceStatus } from '../domain/workspace.js';
import { WorkspaceEntity } from './workspace.entity.js';

@Injectable()
export class WorkspaceBillingRepository {
  constructor(private readonly database: Database) {}

  /** The oldest workspace with this id of the payment provider. */
  async idBy(by: 'subscription' | 'customer', id: string): Promise<string | undefined> {
    const [row] = await this.database.acrossTenants<{ id: string }>(
      by === 'subscription'
        ? 'SELECT id FROM workspaces WHERE payment_subscription_id = $1 ORDER BY id LIMIT 1'
        : 'SELECT id FROM workspaces WHERE payment_customer_id = $1 ORDER BY id LIMIT 1',
      [id],
    );
    return row?.id;
  }

  async find(scope: WorkspaceScope): Promise<BillingRecord | undefined> {
    return this.database.inScope(scope, async ({ manager }) => {
      const row = await manager.findOneBy(WorkspaceEntity, { id: scope.workspaceId });
      return row ? recordOf(row) : undefined;
    });
  }

  /** The record, locked until the transaction ends. */
  async lock({ manager }: Transaction, scope: WorkspaceScope): Promise<BillingState | undefined> {
    const row = await manager.findOne(WorkspaceEntity, {
      where: { id: scope.workspaceId },
      lock: { mode: 'pessimistic_write' },
    });
    return row
      ? { ...recordOf(row), grantedPlan: row.grantedPlan, customRates: camelKeys(row.customRates) }
      : undefined;
  }

  async store(
    tx: Transaction,
    scope: WorkspaceScope,
    record: BillingRecord,
    grantedPlan: string | null,
    now: Date,
  ): Promise<void> {
    const columns = { ...record, grantedPlan, updatedAt: now };
    await tx.manager.update(WorkspaceEntity, { id: scope.workspaceId }, columns);
  }
}

function recordOf({
  plan,
  status,
  suspendedReason,
  paymentSubscriptionId,
  paymentCustomerId,
}: WorkspaceEntity): BillingRecord {
  return {
    plan,
    status: status as WorkspaceStatus,
    suspendedReason,
    paymentSubscriptionId,
    paymentCustomerId,
  };
}
