/**
 * A/B tests: their results, the decision, and sending the winner to the rest of the audience. See campaigns.md, "A/B
 * tests".
 */
import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { testEndsAt, afterDecision, afterUndecided } from '../domain/ab-phases.js';
import {
  compareVariants,
  holdoutRate,
  type AbComparison,
  type RatedVariant,
} from '../domain/ab-comparison.js';
import type { AbMetric, AbTest } from '../domain/ab-test.js';
import {
  HOLDOUT_GROUP,
  ZERO_COUNTERS,
  pendingOf,
  REST_GROUP,
  type CampaignCounters,
} from '../domain/campaign-counters.js';
import { variantsOf, type Campaign } from '../domain/campaign.js';
import type { CampaignInstance, DecidedBy } from '../domain/instance.js';
import { abWarnings, type AbWarning } from '../domain/ab-warnings.js';
import { NOTHING_MEASURED, type MeasuredCounts } from '../../metrics/domain/rates.js';
import { invalidMember } from '../domain/campaign-errors.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignCounterRepository } from '../persistence/campaign-counter.repository.js';
import { MeasuredInstances } from './measured-instances.js';
import { StoredCampaigns } from './stored-campaigns.js';

export interface AbVariantResults extends RatedVariant {
  readonly name: string;
  readonly subject: string | null;
  readonly templateId: string | null;
}

/** Why the metrics could not decide the test, so that a person has to. */
type UndecidedReason = 'metric_not_measured';

export interface AbResults {
  readonly campaignId: string;
  readonly status: 'not_started' | 'running' | 'decided';
  readonly metric: AbMetric;
  readonly startedAt: Date | null;
  readonly endsAt: Date | null;
  readonly variants: readonly AbVariantResults[];
  /** Null without a holdout group. */
  readonly holdout: {
    readonly recipients: number;
    readonly conversions: number;
    readonly rate: number;
  } | null;
  /** The name of the winning variant. */
  readonly winner: string | null;
  readonly decidedBy: DecidedBy | null;
  /** Null while the metrics may still decide, after a decision, and when the test is decided manually by design. */
  readonly undecidedReason: UndecidedReason | null;
  readonly abTestWarnings: readonly AbWarning[];
  /** Compares the two best variants; null if unknown. */
  readonly pValue: number | null;
  readonly significant: boolean;
  /** Contacts that wait for the winner, or whose message with it has not been sent yet. */
  readonly remaining: number;
}

/** The results of an instance's groups, and how many of their messages were measured. */
interface AbGroups {
  readonly counters: ReadonlyMap<number, CampaignCounters>;
  readonly measured: ReadonlyMap<number, MeasuredCounts>;
}
const NO_GROUPS: AbGroups = { counters: new Map(), measured: new Map() };

@Injectable()
export class CampaignAbTests {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredCampaigns,
    private readonly instances: CampaignInstanceRepository,
    private readonly counters: CampaignCounterRepository,
    private readonly measured: MeasuredInstances,
  ) {}

  /**
   * Returns the results of a campaign's test; for a recurring campaign, those of its latest instance.
   * @throws DomainError campaign_not_found; invalid_field for a campaign without a test.
   */
  async results(scope: TenantScope, id: string): Promise<AbResults> {
    return this.database.listInScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      if (campaign.abTest === null) throw noTest();
      const instance = await this.instances.latest(tx, scope, campaign.id);
      const groups = instance ? await this.groups(tx, scope, instance) : NO_GROUPS;
      const isMetricMeasured = await this.measured.isMetricMeasured(tx, scope, campaign.abTest.metric);
      return resultsOf(campaign, campaign.abTest, instance, groups, isMetricMeasured);
    });
  }

  /** Returns why the A/B test may give no meaningful result, as far as this is known before the audience is taken. */
  async warnings(
    scope: TenantScope,
    { abTest }: Pick<Campaign, 'abTest'>,
    audience: number | null = null,
  ): Promise<AbWarning[]> {
    if (abTest === null) return [];
    const isMeasured = await this.database.listInScope(scope, (tx) =>
      this.measured.isMetricMeasured(tx, scope, abTest.metric),
    );
    return abWarnings(abTest, { isMeasured, audience });
  }

  /**
   * Returns the instance with its test decided: for the variant of the given name, or for the best one so far. Its
   * campaign is locked.
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
        ? comparisonOf(abTest, await this.groups(tx, scope, instance)).best
        : abTest.variants.findIndex(({ name }) => name === variant);
    if (winner === -1) throw invalidMember('variant', 'is not a variant of the campaign');
    return afterDecision(instance, { winner, decidedBy }, now);
  }

  /**
   * Returns the instance after its test has ended: decided by its metrics, or left to a person if they were not
   * measured.
   */
  async conclude(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    now: Date,
  ): Promise<CampaignInstance> {
    const { abTest } = instance.content;
    if (abTest === null) throw noTest();
    const { isMeasured, best: winner } = comparisonOf(abTest, await this.groups(tx, scope, instance));
    return isMeasured
      ? afterDecision(instance, { winner, decidedBy: 'automatic' }, now)
      : afterUndecided(instance);
  }

  private async groups(tx: Transaction, scope: TenantScope, instance: CampaignInstance): Promise<AbGroups> {
    return {
      counters: await this.counters.groups(tx, scope, instance.id),
      measured: await this.measured.groups(tx, scope, instance),
    };
  }
}

function resultsOf(
  campaign: Campaign,
  campaignTest: AbTest,
  instance: CampaignInstance | undefined,
  groups: AbGroups,
  isMetricMeasured: boolean,
): AbResults {
  const abTest = instance?.content.abTest ?? campaignTest;
  const { variants, best: _best, isMeasured, ...compared } = comparisonOf(abTest, groups);
  const contents = instance?.content.variants ?? variantsOf(campaign);
  const winner = instance?.winner ?? null;
  const restCounters = groups.counters.get(REST_GROUP) ?? ZERO_COUNTERS;
  const holdoutCounters = groups.counters.get(HOLDOUT_GROUP) ?? ZERO_COUNTERS;
  // The campaign's own test has the requested setting. The instance's test is changed to manual if its metrics were not
  // measured.
  const isUndecided =
    instance !== undefined &&
    winner === null &&
    campaignTest.sendWinner === 'auto' &&
    abTest.sendWinner === 'manual';
  const hasReached = variants.some(({ measured }) => measured.of > 0);
  const isMeasurable = hasReached ? isMeasured : isMetricMeasured;
  const share = (100 - abTest.holdoutPercentage) / 100;
  const audience = instance?.isTaken === true ? Math.round(instance.mailed / share) : null;
  const holdout = { recipients: holdoutCounters.inTest, conversions: holdoutCounters.conversions };
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
    holdout: abTest.holdoutPercentage > 0 ? { ...holdout, rate: holdoutRate(holdout) } : null,
    winner: winner === null ? null : (abTest.variants[winner]?.name ?? null),
    decidedBy: instance?.decidedBy ?? null,
    undecidedReason: isUndecided ? 'metric_not_measured' : null,
    abTestWarnings: winner === null ? abWarnings(abTest, { isMeasured: isMeasurable, audience }) : [],
    ...compared,
    remaining: instance ? pendingOf(instance.rest, restCounters) : 0,
  };
}

function comparisonOf({ variants, metric }: AbTest, groups: AbGroups): AbComparison {
  const counts = variants.map((_, index) => {
    const counters = groups.counters.get(index) ?? ZERO_COUNTERS;
    const { inTest: recipients, sent, bounced, opened, clicked, conversions } = counters;
    const known = groups.measured.get(index) ?? NOTHING_MEASURED;
    return { recipients, sent, bounced, opened, clicked, conversions, known };
  });
  return compareVariants(counts, metric);
}

function noTest(): DomainError {
  return invalidMember('abTest', 'is not set: the campaign has no A/B test');
}
