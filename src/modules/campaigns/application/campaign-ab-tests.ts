/** Tests of variants: what they have shown, who decides, and how the rest gets the winner. campaigns.md, "A/B tests". */
import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { testEndsAt, whenDecided } from '../domain/ab-course.js';
import { abFindings, holdoutRate, type AbFindings, type RatedVariant } from '../domain/ab-results.js';
import type { AbMetric, AbTest } from '../domain/ab-test.js';
import { HOLDOUT, NOTHING_TALLIED, pendingOf, REST, type CampaignTally } from '../domain/campaign-tally.js';
import { variantsOf } from '../domain/campaign-variants.js';
import type { Campaign } from '../domain/campaign.js';
import type { CampaignInstance, DecidedBy } from '../domain/instance.js';
import { invalidMember } from '../domain/invalid-member.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignTallyRepository } from '../persistence/campaign-tally.repository.js';
import { StoredCampaigns } from './stored-campaigns.js';

export interface AbVariantResults extends RatedVariant {
  readonly name: string;
  readonly subject: string | null;
  readonly templateId: string | null;
}

export interface AbResults {
  readonly campaignId: string;
  readonly status: 'not_started' | 'running' | 'decided';
  readonly metric: AbMetric;
  readonly startedAt: Date | null;
  readonly endsAt: Date | null;
  readonly variants: readonly AbVariantResults[];
  /** Null where nobody is held out. */
  readonly holdout: {
    readonly recipients: number;
    readonly conversions: number;
    readonly rate: number;
  } | null;
  /** The name of the variant that was decided for. */
  readonly winner: string | null;
  readonly decidedBy: DecidedBy | null;
  /** Of the best two; null where nothing is known. */
  readonly pValue: number | null;
  readonly significant: boolean;
  /** Contacts that wait for the winner, or whose message with it has not gone. */
  readonly remaining: number;
}

/** What an instance's groups have come to. */
type Groups = ReadonlyMap<number, CampaignTally>;
const NO_GROUPS: Groups = new Map();

@Injectable()
export class CampaignAbTests {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredCampaigns,
    private readonly instances: CampaignInstanceRepository,
    private readonly tallies: CampaignTallyRepository,
  ) {}

  /**
   * What the test of a campaign has shown: of a recurring one that of its last instance.
   * @throws DomainError campaign_not_found; invalid_field for one without a test.
   */
  async results(scope: TenantScope, id: string): Promise<AbResults> {
    return this.database.listInScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      if (campaign.abTest === null) throw noTest();
      const instance = await this.instances.latest(tx, scope, campaign.id);
      const groups = instance ? await this.tallies.groups(tx, scope, instance.id) : NO_GROUPS;
      return resultsOf(campaign, campaign.abTest, instance, groups);
    });
  }

  /**
   * The instance once its test has decided: for the variant of that name, or for the best so far. Its campaign is locked.
   * @throws DomainError invalid_field for a name that no variant has.
   */
  async decide(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    by: { readonly decidedBy: DecidedBy; readonly variant: string | null },
    now: Date,
  ): Promise<CampaignInstance> {
    const { abTest } = instance.content;
    if (abTest === null) throw noTest();
    const { decidedBy, variant } = by;
    const winner =
      variant === null
        ? findingsOf(abTest, await this.tallies.groups(tx, scope, instance.id)).best
        : abTest.variants.findIndex(({ name }) => name === variant);
    if (winner === -1) throw invalidMember('variant', 'is no variant of the campaign');
    return whenDecided(instance, { winner, decidedBy }, now);
  }
}

function resultsOf(
  campaign: Campaign,
  ofCampaign: AbTest,
  instance: CampaignInstance | undefined,
  groups: Groups,
): AbResults {
  const abTest = instance?.content.abTest ?? ofCampaign;
  const { variants, best: _best, ...compared } = findingsOf(abTest, groups);
  const contents = instance?.content.variants ?? variantsOf(campaign);
  const winner = instance?.winner ?? null;
  const ofRest = groups.get(REST) ?? NOTHING_TALLIED;
  const ofHoldout = groups.get(HOLDOUT) ?? NOTHING_TALLIED;
  const held = { recipients: ofHoldout.inTest, conversions: ofHoldout.conversions };
  return {
    campaignId: campaign.id,
    status: !instance ? 'not_started' : winner === null ? 'running' : 'decided',
    metric: abTest.metric,
    startedAt: instance?.startedAt ?? null,
    endsAt: instance ? testEndsAt(instance) : null,
    variants: variants.map((rated, index) => ({
      ...rated,
      name: abTest.variants[index]?.name ?? '',
      subject: contents[index]?.subject ?? null,
      templateId: contents[index]?.templateId ?? null,
    })),
    holdout: abTest.holdoutPercentage > 0 ? { ...held, rate: holdoutRate(held) } : null,
    winner: winner === null ? null : (abTest.variants[winner]?.name ?? null),
    decidedBy: instance?.decidedBy ?? null,
    ...compared,
    remaining: instance ? pendingOf(instance.rest, ofRest) : 0,
  };
}

function findingsOf({ variants, metric }: AbTest, groups: Groups): AbFindings {
  const counts = variants.map((_, index) => {
    const tally = groups.get(index) ?? NOTHING_TALLIED;
    const { inTest: recipients, sent, bounced, opened, clicked, conversions } = tally;
    return { recipients, sent, bounced, opened, clicked, conversions };
  });
  return abFindings(counts, metric);
}

function noTest(): DomainError {
  return invalidMember('abTest', 'is not set: the campaign tests no variants');
}
