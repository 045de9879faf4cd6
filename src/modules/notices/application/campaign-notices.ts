/** Notifies the owner and the admins that a campaign was paused automatically: at most once a day for each reason. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  CampaignNotifications,
  type PausedCampaign,
} from '../../campaigns/application/campaign-notifications.port.js';
import type { CampaignNotice } from '../domain/notice.js';
import { Notices } from './notices.js';

@Injectable()
export class CampaignNotices extends CampaignNotifications {
  constructor(private readonly notices: Notices) {
    super();
  }

  override async notifyPaused(
    tx: Transaction,
    scope: TenantScope,
    { id, name, reason, detail }: PausedCampaign,
    now: Date,
  ): Promise<void> {
    // For bounces and complaints, all promotional mail is paused, and members are notified of that. A suspended
    // workspace already knows.
    if (reason !== 'campaign_incomplete' && reason !== 'plan_limit_reached') return;
    const { environment } = scope;
    await this.notices.notifyManagers<CampaignNotice>(
      tx,
      scope,
      {
        purpose: `campaign:${id}:${reason}:${now.toISOString().slice(0, 10)}`,
        subjectId: id,
        notice: { kind: 'campaign', environment, campaign: name, reason, detail },
      },
      now,
    );
  }
}
