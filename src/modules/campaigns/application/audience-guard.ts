/**
 * Prevents people from sending to more contacts than they intend. The dashboard calls it before a send; REST does not.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { SegmentEvaluationService } from '../../segments/application/segment-evaluation.service.js';
import { SegmentService } from '../../segments/application/segment.service.js';
import { rethrowAsMissingSegment } from '../domain/campaign-errors.js';
import { CampaignService } from './campaign.service.js';

/** Largest audience that needs no confirmation. */
export const MAX_UNCONFIRMED_AUDIENCE = 10_000;

@Injectable()
export class AudienceGuard {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly segments: SegmentService,
    private readonly evaluation: SegmentEvaluationService,
  ) {}

  /**
   * @param isConfirmed whether the user has confirmed that the campaign goes to everyone the segment matches.
   * @throws DomainError audience_not_confirmed with `audience` and `everybody`, for a segment of all contacts or of
   *   more than 10,000; campaign_not_found, segment_too_costly; campaign_incomplete for a deleted segment.
   */
  async assertConfirmed(scope: TenantScope, id: string, isConfirmed: boolean): Promise<void> {
    const { segmentId } = await this.campaigns.get(scope, id);
    // The send itself reports what is missing.
    if (isConfirmed || segmentId === null) return;
    const { conditions } = await this.segments.get(scope, segmentId).catch(rethrowAsMissingSegment);
    const everybody = conditions.length === 0;
    const { count } = await this.evaluation.evaluate(scope, segmentId);
    if (!everybody && count <= MAX_UNCONFIRMED_AUDIENCE) return;
    throw new DomainError(
      'audience_not_confirmed',
      `This campaign goes to ${everybody ? 'all contacts' : 'a large audience'}: ${count} contacts. Confirm ` +
        'the audience to continue.',
      { audience: count, everybody },
    );
  }
}
