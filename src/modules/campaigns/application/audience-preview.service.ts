/**
 * Previews the audience that a campaign would reach if it were sent now, section 4.5. Writes nothing and retains no
 * contact.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { Refusals } from '../../contacts/application/refusals.js';
import { SegmentEvaluationService } from '../../segments/application/segment-evaluation.service.js';
import type { AudienceMember } from '../../segments/domain/audience.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { AudienceCount, type AudiencePreview } from '../domain/audience-preview.js';
import { campaignIncomplete, NO_SEGMENT, withoutSegment } from '../domain/campaign-completeness.js';
import { CampaignAbTests } from './campaign-ab-tests.js';
import { CampaignService } from './campaign.service.js';

@Injectable()
export class AudiencePreviewService {
  constructor(
    private readonly database: Database,
    private readonly campaigns: CampaignService,
    private readonly segments: SegmentEvaluationService,
    private readonly refusals: Refusals,
    private readonly suppressions: Suppressions,
    private readonly contacts: KnownContacts,
    private readonly tests: CampaignAbTests,
  ) {}

  /**
   * Reads every contact that is in the campaign's segment now, a few thousand at a time.
   * @throws DomainError campaign_not_found; campaign_incomplete without a segment; segment_too_costly when reading the
   *   segment takes more than a minute; service_unavailable while another preview of the workspace is running.
   */
  async preview(scope: TenantScope, id: string): Promise<AudiencePreview> {
    const campaign = await this.campaigns.get(scope, id);
    const { segmentId } = campaign;
    if (segmentId === null) throw campaignIncomplete([NO_SEGMENT]);
    const count = new AudienceCount();
    const walked = await this.segments
      .walk(scope, segmentId, async (members) => this.add(scope, members, count))
      .catch(withoutSegment);
    const found = await this.database.inScope(scope, (tx) =>
      this.contacts.find(tx, scope, 'id', count.sample),
    );
    const byId = new Map(found.map((contact) => [contact.id, contact]));
    const abTestWarnings = await this.tests.warnings(scope, campaign, count.counts.sendable);
    const sample = count.sample.flatMap((known) => byId.get(known) ?? []);
    return { ...walked, ...count.counts, sample, abTestWarnings };
  }

  /** Queries opt-outs and suppressions only for members whose own record allows mail. */
  private async add(
    scope: TenantScope,
    members: readonly AudienceMember[],
    count: AudienceCount,
  ): Promise<void> {
    const open = members.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed');
    const [refused, suppressed] = await this.database.inScope(scope, async (tx) => [
      await this.refusals.among(tx, scope, open),
      await this.suppressions.among(tx, scope, open),
    ]);
    count.add(members, refused, new Set(suppressed.keys()));
  }
}
