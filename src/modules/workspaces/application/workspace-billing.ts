/** What billing knows a workspace by, and decides of it: section 2.10. */
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

  /** The workspace that pays by that subscription, or as that customer. */
  async workspaceOf(by: 'subscription' | 'customer', id: string): Promise<string | undefined> {
    return this.workspaces.idBy(by, id);
  }

  /** The record, locked until the transaction ends; undefined where there is no such workspace. */
  async lock(tx: Transaction, scope: WorkspaceScope): Promise<BillingState | undefined> {
    return this.workspaces.lock(tx, scope);
  }

  /** The record as it is shown. */
  async find(scope: WorkspaceScope): Promise<BillingRecord | undefined> {
    return this.workspaces.find(scope);
  }

  /** Stores what payments have come to; whoever holds messages back for a suspended workspace hears of it. */
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
