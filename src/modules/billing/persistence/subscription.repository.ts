/** Subscriptions and their workspaces. */
import { Injectable } from '@nestjs/common';
import { camelKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Subscription } from '../domain/subscription.js';
import { SubscriptionEntity } from './subscription.entity.js';

/** Maximum subscriptions of a workspace that are read. No workspace buys as many for itself. */
const MAX_SUBSCRIPTIONS = 1_000;

@Injectable()
export class SubscriptionRepository {
  constructor(private readonly database: Database) {}

  /** The workspace to which a subscription belongs, by its events. */
  async workspaceOf(id: string): Promise<string | undefined> {
    const [row] = await this.database.acrossTenants<{ workspace_id: string }>(
      'SELECT workspace_id FROM subscriptions WHERE id = $1 ORDER BY workspace_id LIMIT 1',
      [id],
    );
    return row?.workspace_id;
  }

  /**
   * Subscriptions of a workspace: those with the given ids, then the confirmed ones, then the others, of which third
   * parties can buy any number. Each group is sorted latest first.
   */
  async list(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    ids: readonly string[],
    limit = MAX_SUBSCRIPTIONS,
  ): Promise<Subscription[]> {
    const rows = await tx.query<SnakeKeys<Subscription>>(
      `SELECT id, customer_id, standing, standing_at, plan, plan_at, renewed_at, period_start, period_end, confirmed_by
       FROM subscriptions WHERE workspace_id = $1
       ORDER BY id = ANY($2::text[]) DESC, confirmed_by IS NOT NULL DESC, standing_at DESC NULLS LAST, id LIMIT $3`,
      [workspaceId, ids, limit],
    );
    return rows.map((row) => camelKeys(row) as Subscription);
  }

  async store(tx: Transaction, { workspaceId }: WorkspaceScope, subscription: Subscription): Promise<void> {
    await tx.manager.upsert(SubscriptionEntity, { workspaceId, ...subscription }, ['workspaceId', 'id']);
  }
}
