/**
 * Previews the audience that a campaign would reach if it were sent now, section 4.5. Writes nothing and retains no
 * contact.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { OptOuts } from '../../contacts/application/opt-outs.js';
import { SegmentEvaluationService } from '../../segments/application/segment-evaluation.service.js';
import type { AudienceMember } from '../../segments/domain/audience.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { AudienceCounter, type AudiencePreview } from '../domain/audience-preview.js';
import { campaignIncomplete, NO_SEGMENT, rethrowAsMissingSegment } from '../domain/campaign-errors.js';
import { CampaignAbTests } from './campaign-ab-tests.js';
import { CampaignService } from './campaign.service.js';

@Injectable()
export class AudiencePreviewService {
  constructor(
    private readonly database: Database,
    private readonly campaigns: CampaignService,
    private readonly segments: SegmentEvaluationService,
    private readonly optOuts: OptOuts,
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
    const counter = new AudienceCounter();
    const evaluation = await this.segments
      .visitMembers(scope, segmentId, async (members) => this.count(scope, members, counter))
      .catch(rethrowAsMissingSegment);
    const found = await this.database.inScope(scope, (tx) =>
      this.contacts.find(tx, scope, 'id', counter.sample),
    );
    const byId = new Map(found.map((contact) => [contact.id, contact]));
    const abTestWarnings = await this.tests.warnings(scope, campaign, counter.counts.sendable);
    const sample = counter.sample.flatMap((contactId) => byId.get(contactId) ?? []);
    return { ...evaluation, ...counter.counts, sample, abTestWarnings };
  }

  /** Queries opt-outs and suppressions only for members whose own record allows mail. */
  private async count(
    scope: TenantScope,
    members: readonly AudienceMember[],
    counter: AudienceCounter,
  ): Promise<void> {
    const subscribed = members.filter(({ subscriptionStatus }) => subscriptionStatus === 'subscribed');
    const [optedOut, suppressed] = await this.database.inScope(scope, async (tx) => [
      await this.optOuts.among(tx, scope, subscribed),
      await this.suppressions.among(tx, scope, subscribed),
    ]);
    counter.add(members, optedOut, new Set(suppressed.keys()));
  }
}
