/** Analyses in REST, section 4.4. */
import { ApiProperty } from '@nestjs/swagger';
import type { Cohort } from '../../metrics/domain/cohort.js';
import { MeasuredEmailsResponse } from '../../metrics/http/measured.presenter.js';
import type { CohortReport } from '../application/report-analyses.service.js';
import type {
  ComparedFlow,
  FlowComparison,
  FlowGroup,
  FlowGroups,
  FlowPerformance,
} from '../domain/flow-performance.js';
import type { Funnel } from '../domain/funnel.js';
import type { ReportRange } from '../domain/report-data.js';

const COUNT = { type: 'integer' } as const;
const RATE = { example: 12.5, description: 'Percentage with two decimals; 0 if the base is 0.' } as const;
const BEST = { type: String, nullable: true, format: 'uuid' } as const;

export class AnalysisRangeResponse {
  @ApiProperty({ type: String, nullable: true, example: '30d', description: 'Null if dates were given.' })
  preset: string | null;
  @ApiProperty({ format: 'date-time' }) from: string;
  @ApiProperty({ format: 'date-time' }) to: string;
}

class FunnelStageResponse {
  @ApiProperty({ example: 'step_2' }) key: string;
  @ApiProperty({ example: 'Send email: welcome' }) label: string;
  @ApiProperty(COUNT) count: number;
  @ApiProperty({ ...RATE, description: 'Percentage of the first stage; 0 if that is 0.' })
  rate_from_start: number;
  @ApiProperty({ ...RATE, description: 'Percentage of the previous stage; 0 if that is 0.' })
  rate_from_previous: number;
  @ApiProperty({ description: 'False if the count was not measured. It is then unknown and returned as 0.' })
  is_measured: boolean;
}

export class FunnelResponse {
  @ApiProperty({ enum: ['email', 'flow'] }) type: string;
  @ApiProperty() date_range: AnalysisRangeResponse;
  @ApiProperty({ type: [FunnelStageResponse] }) stages: FunnelStageResponse[];
}

class CohortValueResponse {
  @ApiProperty({ ...COUNT, description: 'Number of periods after the cohort’s own, which is 0.' })
  index: number;
  @ApiProperty({ ...COUNT, description: 'Number of people active in this period.' }) count: number;
  @ApiProperty({ ...RATE, description: 'Percentage of the cohort.' }) rate: number;
}

class CohortOfPeriodResponse {
  @ApiProperty({ example: '2026-03-02', description: 'First day of the period.' }) start: string;
  @ApiProperty(COUNT) size: number;
  @ApiProperty({
    type: [CohortValueResponse],
    description: 'Periods that have not started yet are omitted.',
  })
  values: CohortValueResponse[];
}

export class CohortResponse {
  @ApiProperty({ enum: ['day', 'week', 'month'] }) period: string;
  @ApiProperty() date_range: AnalysisRangeResponse;
  @ApiProperty({ type: [CohortOfPeriodResponse] }) cohorts: CohortOfPeriodResponse[];
}

class PerformanceResponse {
  @ApiProperty({ ...COUNT, description: 'Trips that entered in the period.' }) entered: number;
  @ApiProperty({ ...COUNT, description: 'Number of these trips that have completed so far.' })
  completed: number;
  @ApiProperty(RATE) completion_rate: number;
  @ApiProperty({ ...COUNT, description: 'Messages sent in the period.' }) sent: number;
  @ApiProperty(RATE) open_rate: number;
  @ApiProperty(RATE) click_rate: number;
  @ApiProperty({
    type: MeasuredEmailsResponse,
    description: 'How many messages were measured. Open and click rates refer to measured messages only.',
  })
  measured: MeasuredEmailsResponse;
  @ApiProperty({ ...COUNT, description: 'Trips that entered in the period and reached any goal.' })
  conversions: number;
  @ApiProperty(RATE) conversion_rate: number;
}

class ComparedFlowResponse extends PerformanceResponse {
  @ApiProperty({ format: 'uuid' }) flow_id: string;
  @ApiProperty({ example: 'Onboarding' }) name: string;
  @ApiProperty({ ...COUNT, description: 'Messages whose unsubscribe link led to an opt-out.' })
  unsubscribed: number;
}

class BestFlowsResponse {
  @ApiProperty(BEST) completion_rate: string | null;
  @ApiProperty(BEST) open_rate: string | null;
  @ApiProperty(BEST) click_rate: string | null;
  @ApiProperty(BEST) conversion_rate: string | null;
}

export class FlowComparisonResponse {
  @ApiProperty() date_range: AnalysisRangeResponse;
  @ApiProperty({ type: [ComparedFlowResponse], description: 'In the order of flow_ids.' })
  flows: ComparedFlowResponse[];
  @ApiProperty({
    description: 'For each rate, the flow with the highest value. Null if the highest value is 0.',
  })
  best: BestFlowsResponse;
}

class FlowGroupResponse extends PerformanceResponse {
  @ApiProperty(COUNT) flows: number;
}

class TaggedGroupResponse extends FlowGroupResponse {
  @ApiProperty({ example: 'onboarding' }) tag: string;
}

export class FlowGroupsResponse {
  @ApiProperty() date_range: AnalysisRangeResponse;
  @ApiProperty({ type: [TaggedGroupResponse], description: 'Sorted by tag.' }) groups: TaggedGroupResponse[];
  @ApiProperty({
    type: FlowGroupResponse,
    nullable: true,
    description: 'Flows without tags. Null if there are none, or if tags were requested.',
  })
  untagged: FlowGroupResponse | null;
}

export function presentFunnel({ type, range, stages }: Funnel): FunnelResponse {
  return {
    type,
    date_range: presentRange(range),
    stages: stages.map(({ rateFromStart, rateFromPrevious, isMeasured, ...stage }) => ({
      ...stage,
      rate_from_start: rateFromStart,
      rate_from_previous: rateFromPrevious,
      is_measured: isMeasured,
    })),
  };
}

export function presentCohorts({ period, range, cohorts }: CohortReport): CohortResponse {
  return { period, date_range: presentRange(range), cohorts: cohorts.map(presentCohort) };
}

export function presentComparison({ range, flows, best }: FlowComparison): FlowComparisonResponse {
  return {
    date_range: presentRange(range),
    flows: flows.map(presentCompared),
    best: {
      completion_rate: best.completionRate,
      open_rate: best.openRate,
      click_rate: best.clickRate,
      conversion_rate: best.conversionRate,
    },
  };
}

export function presentGroups({ range, groups, untagged }: FlowGroups): FlowGroupsResponse {
  return {
    date_range: presentRange(range),
    groups: groups.map((group) => ({ tag: group.tag, ...presentGroup(group) })),
    untagged: untagged && presentGroup(untagged),
  };
}

function presentRange({ preset, from, to }: ReportRange): AnalysisRangeResponse {
  return { preset, from: from.toISOString(), to: to.toISOString() };
}

function presentCohort({ start, size, values }: Cohort): CohortOfPeriodResponse {
  return { start, size, values: [...values] };
}

function presentCompared(flow: ComparedFlow): ComparedFlowResponse {
  const { flowId, name, unsubscribed } = flow;
  return { flow_id: flowId, name, ...presentPerformance(flow), unsubscribed };
}

function presentGroup(group: FlowGroup): FlowGroupResponse {
  return { flows: group.flows, ...presentPerformance(group) };
}

function presentPerformance(performance: FlowPerformance): PerformanceResponse {
  return {
    entered: performance.entered,
    completed: performance.completed,
    completion_rate: performance.completionRate,
    sent: performance.sent,
    open_rate: performance.openRate ?? 0,
    click_rate: performance.clickRate ?? 0,
    measured: performance.measured,
    conversions: performance.conversions,
    conversion_rate: performance.conversionRate,
  };
}
