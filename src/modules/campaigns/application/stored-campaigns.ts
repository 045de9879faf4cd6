/**
 * The only way to change an existing campaign: it is locked when it is read, so that no update is lost, and stored as a
 * whole.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Campaign } from '../domain/campaign.js';
import { CampaignRepository } from '../persistence/campaign.repository.js';

@Injectable()
export class StoredCampaigns {
  constructor(
    private readonly database: Database,
    private readonly campaigns: CampaignRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes a campaign.
   * @param next returns the changed campaign, and does everything that belongs to the same transaction; it may run
   *   again.
   * @throws DomainError campaign_not_found.
   */
  async change(
    scope: TenantScope,
    id: string,
    next: (tx: Transaction, campaign: Campaign, now: Date) => Promise<Campaign>,
  ): Promise<Campaign> {
    return this.database.inScope(scope, async (tx) => {
      const campaign = await this.find(tx, scope, id, true);
      const after = await next(tx, campaign, this.clock.now());
      await this.campaigns.store(tx, scope, after);
      return after;
    });
  }

  /**
   * Returns one campaign of the environment.
   * @param lock prevents others from changing it until the transaction ends.
   * @throws DomainError campaign_not_found.
   */
  async find(tx: Transaction, scope: TenantScope, id: string, lock = false): Promise<Campaign> {
    const campaign = isUuid(id) ? await this.campaigns.find(tx, scope, id, lock) : undefined;
    if (!campaign) throw new DomainError('campaign_not_found', `No campaign has the ID ${id}.`);
    return campaign;
  }
}
