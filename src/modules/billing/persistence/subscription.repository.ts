/** Subscriptions, and whose they are. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Subscription } from '../domain/subscription.js';
import { SubscriptionEntity } from './subscription.entity.js';

/** Subscriptions of a workspace that are remembered; nobody has as many. */
const MOST = 1_000;

@Injectable()
export class SubscriptionRepository {
  constructor(private readonly database: Database) {}

  /** The workspace that a subscription was ever told to be of. */
  async workspaceOf(id: string): Promise<string | undefined> {
    const [row] = await this.database.acrossTenants<{ workspace_id: string }>(
      'SELECT workspace_id FROM subscriptions WHERE id = $1 ORDER BY workspace_id LIMIT 1',
      [id],
    );
    return row?.workspace_id;
  }

  /** All of a workspace. */
  async all(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<Subscription[]> {
    const rows = await tx.manager.find(SubscriptionEntity, {
      where: { workspaceId },
      order: { id: 'ASC' },
      take: MOST,
    });
    return rows.map(({ workspaceId: _whose, standing, ...row }) => ({
      ...row,
      standing: standing as Subscription['standing'],
    }));
  }

  async store(tx: Transaction, { workspaceId }: WorkspaceScope, subscription: Subscription): Promise<void> {
    await tx.manager.upsert(SubscriptionEntity, { workspaceId, ...subscription }, ['workspaceId', 'id']);
  }
}
