/** Finds workspaces for billing, and stores the results of payments: section 2.10. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { BillingRecord, BillingState } from '../domain/workspace.js';
import { WorkspaceBillingRepository } from '../persistence/workspace-billing.repository.js';
import { SettingsChanges } from './settings-changes.port.js';

@Injectable()
export class WorkspaceBilling {
  constructor(
    private readonly workspaces: WorkspaceBillingRepository,
    private readonly changes: SettingsChanges,
  ) {}

  /** The workspace with this subscription or customer id. */
  async workspaceOf(by: 'subscription' | 'customer', id: string): Promise<string | undefined> {
    return this.workspaces.idBy(by, id);
  }

  /** The record, locked until the transaction ends; undefined if there is no such workspace. */
  async lock(tx: Transaction, scope: WorkspaceScope): Promise<BillingState | undefined> {
    return this.workspaces.lock(tx, scope);
  }

  /** The record for display. */
  async find(scope: WorkspaceScope): Promise<BillingRecord | undefined> {
    return this.workspaces.find(scope);
  }

  /** Stores the result of payments, and announces it to the code that holds back messages of suspended workspaces. */
  async store(
    tx: Transaction,
    scope: WorkspaceScope,
    record: BillingRecord,
    grantedPlan: string | null,
    now: Date,
  ): Promise<void> {
    await this.workspaces.store(tx, scope, record, grantedPlan, now);
    await this.changes.changed(tx, scope, now);
  }
}
