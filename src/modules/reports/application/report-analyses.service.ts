/**
 * The analyses of section 4.4: funnels, cohorts, and comparisons of flows, individually and by tag. Their figures match
 * those of reports, goals and campaigns, since all read the same rollups.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { DateRangeInput } from '../../../kernel/date-range.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { CampaignService } from '../../campaigns/application/campaign.service.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { stepsWithPaths } from '../../flows/domain/step-tree.js';
import { Cohorts } from '../../metrics/application/cohorts.js';
import { PeriodTotals } from '../../metrics/application/period-totals.js';
import type { Cohort, CohortMembers, CohortQuery } from '../../metrics/domain/cohort.js';
import { NO_TRIPS } from '../../metrics/domain/period-totals.js';
import { TemplateService } from '../../templates/application/template.service.js';
import { GoalConversionsService } from '../../trips/application/goal-conversions.service.js';
import { analysisRange } from '../domain/report-period.js';
import {
  bestOf,
  comparedFlow,
  flowGroups,
  withTotals,
  type FlowComparison,
  type FlowGroups,
  type FlowTotals,
} from '../domain/flow-performance.js';
import { emailStages, flowStages, withRates, type Funnel } from '../domain/funnel.js';
import type { ReportRange } from '../domain/report-data.js';
import { ReportFlowRepository, type AnalysedFlow } from '../persistence/report-flow.repository.js';

/** Restricts a funnel to some messages; covers all if empty. */
export interface EmailFunnelFilter {
  readonly flowId?: string | undefined;
  readonly campaignId?: string | undefined;
  /** The slug of a template. */
  readonly template?: string | undefined;
}

export type CohortRequest = Omit<CohortQuery, 'range'>;

export interface CohortReport {
  readonly period: CohortQuery['period'];
  readonly range: ReportRange;
  readonly cohorts: readonly Cohort[];
}

@Injectable()
export class ReportAnalysesService {
  constructor(
    private readonly totals: PeriodTotals,
    private readonly cohorts: Cohorts,
    private readonly flowRepository: ReportFlowRepository,
    private readonly flows: FlowService,
    private readonly goals: GoalConversionsService,
    private readonly campaigns: CampaignService,
    private readonly templates: TemplateService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the funnel from sent to clicked, for messages sent in the period.
   * @throws DomainError invalid_date_param, flow_not_found, campaign_not_found, template_not_found.
   */
  async emailFunnel(scope: TenantScope, filter: EmailFunnelFilter, period: DateRangeInput): Promise<Funnel> {
    const range = analysisRange(period, this.clock.now());
    const flow = filter.flowId === undefined ? undefined : await this.flows.get(scope, filter.flowId);
    const campaign =
      filter.campaignId === undefined ? undefined : await this.campaigns.get(scope, filter.campaignId);
    const template =
      filter.template === undefined ? undefined : await this.templates.getBySlug(scope, filter.template);
    const sources = [flow, campaign].flatMap((source) => (source ? [source.id] : []));
    const counts = await this.totals.emails(
      scope,
      {
        // No message belongs to both a flow and a campaign.
        ...(sources.length === 0 ? {} : { sourceIds: sources.length === 1 ? sources : [] }),
        ...(template ? { templateSlug: template.slug } : {}),
      },
      range,
    );
    return { type: 'email', range, stages: withRates(emailStages(counts)) };
  }

  /**
   * Returns the funnel of a flow for trips that entered in the period: from entering to each step of its current
   * version, its end and its goals.
   * @throws DomainError invalid_date_param, flow_not_found.
   */
  async flowFunnel(scope: TenantScope, flowId: string, period: DateRangeInput): Promise<Funnel> {
    const range = analysisRange(period, this.clock.now());
    const flow = await this.flows.get(scope, flowId);
    // Read in this order: only more trips can enter in the meantime, so no stage exceeds the number that entered.
    const { goals } = await this.goals.ofFlow(scope, flow.id, toDateRangeInput(range));
    const ids = stepsWithPaths(flow.steps).map(({ step }) => step.id);
    const reached = await this.totals.steps(scope, flow.id, ids, range);
    const trips = (await this.totals.trips(scope, [flow.id], range)).get(flow.id) ?? NO_TRIPS;
    const converted = new Map(goals.map(({ goal, conversions }) => [goal.id, conversions]));
    const stages = flowStages(
      flow.steps,
      goals.map(({ goal }) => goal),
      { trips, reached, converted },
    );
    return { type: 'flow', range, stages: withRates(stages) };
  }

  /**
   * Returns how many people started in each period of the range, and how many of them were active again later.
   * @throws DomainError invalid_date_param, flow_not_found, work_too_costly; invalid_field for a range of too many
   *   periods.
   */
  async cohort(scope: TenantScope, request: CohortRequest, period: DateRangeInput): Promise<CohortReport> {
    const range = analysisRange(period, this.clock.now());
    const members = await this.resolveMembers(scope, request.members);
    const cohorts = await this.cohorts.of(scope, { ...request, members, range });
    return { period: request.period, range, cohorts };
  }

  /**
   * Compares flows, in the order given.
   * @throws DomainError invalid_date_param, flow_not_found.
   */
  async compare(
    scope: TenantScope,
    flowIds: readonly string[],
    period: DateRangeInput,
  ): Promise<FlowComparison> {
    const range = analysisRange(period, this.clock.now());
    const found = new Map(
      (await this.flowRepository.existing(scope, flowIds)).map((flow) => [flow.id, flow]),
    );
    const requested = flowIds.map((id) => {
      const flow = found.get(id.toLowerCase());
      if (!flow) throw new DomainError('flow_not_found', `No flow has the ID ${id}.`);
      return flow;
    });
    const flows = (await this.withTotals(scope, requested, range)).map(comparedFlow);
    return { range, flows, best: bestOf(flows) };
  }

  /**
   * Groups flows by their current tags.
   * @param tags restricts the groups to these tags; null for all.
   * @throws DomainError invalid_date_param.
   */
  async groups(
    scope: TenantScope,
    tags: readonly string[] | null,
    period: DateRangeInput,
  ): Promise<FlowGroups> {
    const range = analysisRange(period, this.clock.now());
    const flows = await this.withTotals(scope, await this.flowRepository.all(scope, tags), range);
    return { range, ...flowGroups(flows, tags) };
  }

  private async withTotals(
    scope: TenantScope,
    flows: readonly AnalysedFlow[],
    range: ReportRange,
  ): Promise<FlowTotals[]> {
    if (flows.length === 0) return [];
    const ids = flows.map(({ id }) => id);
    const emails = await this.totals.emailsBySource(scope, ids, range);
    const trips = await this.totals.trips(scope, ids, range);
    return flows.map((flow) => withTotals(flow, trips, emails));
  }

  /** @throws DomainError flow_not_found. */
  private async resolveMembers(scope: TenantScope, members: CohortMembers): Promise<CohortMembers> {
    if (members.by !== 'flow_entered') return members;
    return { by: 'flow_entered', flowId: (await this.flows.get(scope, members.flowId)).id };
  }
}

/** Fixes the period to the millisecond, so that it no longer depends on the current time. */
function toDateRangeInput({ from, to }: ReportRange): DateRangeInput {
  return { fromDate: from.toISOString(), toDate: to.toISOString() };
}
