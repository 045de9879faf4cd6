/** Computes the best time to send a campaign, section 4.5, from the opens and clicks of the contacts in its segment. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MessageEngagementTimes } from '../../delivery/application/engagement-times.js';
import { SegmentEvaluationService } from '../../segments/application/segment-evaluation.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { bestSendTime, LOOKBACK_DAYS, type BestSendTime } from '../domain/best-send-time.js';
import { campaignIncomplete, NO_SEGMENT, rethrowAsMissingSegment } from '../domain/campaign-errors.js';
import { CampaignService } from './campaign.service.js';

const UTC = 'UTC';

@Injectable()
export class BestSendTimeService {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly segments: SegmentEvaluationService,
    private readonly engagement: MessageEngagementTimes,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the best hour of the week, in the workspace's time zone.
   * @throws DomainError campaign_not_found; campaign_incomplete without a segment; segment_too_costly.
   */
  async of(scope: TenantScope, id: string): Promise<BestSendTime> {
    const { segmentId } = await this.campaigns.get(scope, id);
    if (segmentId === null) throw campaignIncomplete([NO_SEGMENT]);
    const people = await this.segments.condition(scope, segmentId).catch(rethrowAsMissingSegment);
    const { settings } = await this.workspaces.get(scope);
    const timezone = settings.timezone ?? UTC;
    const to = this.clock.now();
    const from = new Date(to.getTime() - LOOKBACK_DAYS * DAY);
    return bestSendTime(await this.engagement.of(scope, { people, from, to, timezone }), timezone, to);
  }
}
