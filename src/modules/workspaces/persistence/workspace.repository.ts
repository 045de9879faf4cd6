/** Storage of workspaces. */
import { Injectable } from '@nestjs/common';
import { camelKeys, snakeKeys } from '../../../kernel/letter-case.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import {
  DELETION_SUSPENDED_REASON,
  type Workspace,
  type WorkspaceSettings,
  type WorkspaceState,
  type WorkspaceStatus,
} from '../domain/workspace.js';
import type { RetentionPlans } from '../../limits/domain/plan.js';
import { WorkspaceEntity, type StoredSettings } from './workspace.entity.js';

/** The parts of a workspace that people and the operator change. */
export type ChangedPart = 'settings' | 'sender' | 'company' | 'customRates';

/** Ids of the payment provider for a workspace. */
export interface PaymentIds {
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
}

@Injectable()
export class WorkspaceRepository {
  constructor(private readonly database: Database) {}

  /** The workspace of the scope; undefined if there is none. */
  async find(scope: WorkspaceScope): Promise<Workspace | undefined> {
    return this.database.inScope(scope, async ({ manager }) => {
      const row = await manager.findOneBy(WorkspaceEntity, { id: scope.workspaceId });
      return row ? recordOf(row) : undefined;
    });
  }

  /** Ids of the workspaces with this name, oldest first. */
  async idsByName(name: string): Promise<string[]> {
    const rows = await this.database.acrossTenants<{ id: string }>(
      'SELECT id FROM workspaces WHERE name = $1 ORDER BY id',
      [name],
    );
    return rows.map(({ id }) => id);
  }

  /** Ids of workspaces, at most `limit`. */
  async ids(limit: number): Promise<string[]> {
    const rows = await this.database.acrossTenants<{ id: string }>(
      'SELECT id FROM workspaces ORDER BY id LIMIT $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Stores a new workspace, which is not being deleted. */
  async add({ isBeingDeleted: _none, ...workspace }: Workspace, payment: PaymentIds): Promise<void> {
    await this.database.inScope({ workspaceId: workspace.id }, async ({ manager }) => {
      await manager.insert(WorkspaceEntity, {
        ...workspace,
        company: snakeKeys(workspace.company),
        sender: snakeKeys(workspace.sender),
        settings: storedSettings(workspace.settings),
        customRates: snakeKeys(workspace.customRates),
        paymentCustomerId: payment.customerId,
        paymentSubscriptionId: payment.subscriptionId,
      });
    });
  }

  /** The name of the scope's workspace; empty if there is none. */
  async name(tx: Transaction, scope: WorkspaceScope): Promise<string> {
    const [row] = await tx.query<{ name: string }>('SELECT name FROM workspaces WHERE id = $1', [
      scope.workspaceId,
    ]);
    return row?.name ?? '';
  }

  /** The plan and former plans of the scope's workspace; undefined if there is none. */
  async plans(tx: Transaction, scope: WorkspaceScope): Promise<RetentionPlans | undefined> {
    const [row] = await tx.query<RetentionPlans & Record<string, unknown>>(
      `SELECT plan, former_plans AS "formerPlans", plan_changed_at AS "planChangedAt" FROM workspaces WHERE id = $1`,
      [scope.workspaceId],
    );
    return row;
  }

  /** Whether work may be done for the scope's workspace; undefined if there is none. */
  async state(tx: Transaction, scope: WorkspaceScope): Promise<WorkspaceState | undefined> {
    const [row] = await tx.query<WorkspaceState & Record<string, unknown>>(
      `SELECT plan, status = 'suspended' OR deletion_at IS NOT NULL AS "isStill" FROM workspaces WHERE id = $1`,
      [scope.workspaceId],
    );
    return row;
  }

  /** The settings of the scope's workspace; undefined if there is none. */
  async settings(tx: Transaction, scope: WorkspaceScope): Promise<WorkspaceSettings | undefined> {
    const [row] = await tx.query<{ settings: StoredSettings }>(
      'SELECT settings FROM workspaces WHERE id = $1',
      [scope.workspaceId],
      'workspace-settings',
    );
    return row && settingsOf(row.settings);
  }

  /**
   * Locks the workspace, stores the settings, sender, company or rates that `changed` returns for it, and calls
   * `announce` in the same transaction.
   */
  async change(
    scope: WorkspaceScope,
    now: Date,
    changed: (workspace: Workspace) => Partial<Pick<Workspace, ChangedPart>>,
    announce: (tx: Transaction, before: Workspace, after: Workspace) => Promise<void>,
  ): Promise<Workspace | undefined> {
    return this.database.inScope(scope, async (transaction) => {
      const workspace = await locked(transaction, scope);
      if (!workspace) return undefined;
      const next = { ...workspace, ...changed(workspace), updatedAt: now };
      const columns = {
        settings: storedSettings(next.settings),
        sender: snakeKeys(next.sender),
        company: snakeKeys(next.company),
        customRates: snakeKeys(next.customRates),
        updatedAt: now,
      };
      await transaction.manager.update(WorkspaceEntity, { id: scope.workspaceId }, columns);
      await announce(transaction, workspace, next);
      return next;
    });
  }

  /**
   * Locks the workspace and marks it as live. `check` gets the workspace and throws to reject; `announce` is called
   * in the same transaction. A live workspace keeps its time, and `announce` is not called.
   */
  async goLive(
    scope: WorkspaceScope,
    now: Date,
    check: (tx: Transaction, workspace: Workspace) => Promise<void>,
    announce: (tx: Transaction) => Promise<void>,
  ): Promise<Workspace | undefined> {
    return this.database.inScope(scope, async (transaction) => {
      const { manager } = transaction;
      const workspace = await locked(transaction, scope);
      if (!workspace) return undefined;
      await check(transaction, workspace);
      if (workspace.liveAt) return workspace;
      await manager.update(WorkspaceEntity, { id: scope.workspaceId }, { liveAt: now, updatedAt: now });
      await announce(transaction);
      return { ...workspace, liveAt: now, updatedAt: now };
    });
  }

  /**
   * Locks the workspace and stores the deletion time that `due` returns for it; if it changes, `announce` is called
   * in the same transaction.
   */
  async changeDeletion(
    scope: WorkspaceScope,
    now: Date,
    due: (workspace: Workspace) => Date | null,
    announce: (tx: Transaction, before: Workspace, after: Workspace) => Promise<void>,
  ): Promise<Workspace | undefined> {
    return this.database.inScope(scope, async (tx) => {
      const before = await locked(tx, scope);
      if (!before) return undefined;
      const deletionAt = due(before);
      if (deletionAt?.getTime() === before.deletionAt?.getTime()) return before;
      await tx.manager.update(WorkspaceEntity, { id: scope.workspaceId }, { deletionAt, updatedAt: now });
      const row = await tx.manager.findOneByOrFail(WorkspaceEntity, { id: scope.workspaceId });
      const after = recordOf(row);
      await announce(tx, before, after);
      return after;
    });
  }

  /**
   * Marks a workspace as being deleted if its deletion is due.
   * @returns when its deletion began; undefined if it is not due.
   */
  async beginDeletion(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    now: Date,
  ): Promise<Date | undefined> {
    const [started] = await tx.query<{ since: Date }>(
      `UPDATE workspaces SET deletion_begun_at = coalesce(deletion_begun_at, $2)
       WHERE id = $1 AND deletion_at <= $2 RETURNING deletion_begun_at AS since`,
      [workspaceId, now],
    );
    return started?.since;
  }

  /** Postpones the retry of a failed deletion. */
  async postponeDeletion(tx: Transaction, { workspaceId }: WorkspaceScope, until: Date): Promise<void> {
    await tx.execute('UPDATE workspaces SET deletion_retry_at = $2 WHERE id = $1', [workspaceId, until]);
  }

  /** Deletes the workspace's own row. */
  async remove(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<void> {
    await tx.manager.delete(WorkspaceEntity, { id: workspaceId });
  }
}

async function locked({ manager }: Transaction, scope: WorkspaceScope): Promise<Workspace | undefined> {
  const row = await manager.findOne(WorkspaceEntity, {
    where: { id: scope.workspaceId },
    lock: { mode: 'pessimistic_write' },
  });
  return row ? recordOf(row) : undefined;
}

function storedSettings({ frequencyCap: cap, mailTransports, ...rest }: WorkspaceSettings): StoredSettings {
  return {
    ...rest,
    ...(cap ? { frequency_cap: snakeKeys(cap) } : {}),
    ...(mailTransports ? { mail_transports: mailTransports } : {}),
  };
}

function settingsOf({
  frequency_cap: cap,
  mail_transports: mailTransports,
  ...rest
}: StoredSettings): WorkspaceSettings {
  return {
    ...rest,
    ...(cap ? { frequencyCap: camelKeys(cap) } : {}),
    ...(mailTransports ? { mailTransports } : {}),
  };
}

function recordOf(row: WorkspaceEntity): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    // Regardless of payments: a workspace to be deleted is read-only and sends nothing.
    status: row.deletionAt ? 'suspended' : (row.status as WorkspaceStatus),
    suspendedReason: row.deletionAt ? DELETION_SUSPENDED_REASON : row.suspendedReason,
    accountEmailVerified: row.accountEmailVerified,
    liveAt: row.liveAt,
    deletionAt: row.deletionAt,
    isBeingDeleted: row.deletionBegunAt !== null,
    company: camelKeys(row.company),
    sender: camelKeys(row.sender),
    settings: settingsOf(row.settings),
    customRates: camelKeys(row.customRates),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
