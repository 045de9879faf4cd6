/** Analyses in REST (section 4.4) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { COHORT_PERIODS, type CohortPeriod } from '../../metrics/domain/cohort.js';
import { MeasuredEmailsOutput } from '../../metrics/output/measured.output.js';
import { FUNNEL_TYPES, type FunnelType } from '../domain/funnel.js';
import { CohortPeriodEnum, FunnelTypeEnum } from '../input/report-analyses.input.js';

const RATE = { example: 12.5, description: 'Percentage with two decimals. 0 if the base is 0.' } as const;
const MEASURED_RATE = {
  nullable: true,
  example: 12.5,
  description: 'Percentage of measured messages. If none was measured, null in GraphQL and 0 in REST.',
  inRest: { ifNull: 0 },
} as const;

@Output({
  rest: 'AnalysisRangeResponse',
  graphql: 'AnalysisRange',
  description: 'The period of an analysis.',
})
class AnalysisRangeOutput {
  @Out('String', { nullable: true, example: '30d', description: 'Null if dates were given.' })
  preset: string | null;
  @Out('DateTime') from: Date;
  @Out('DateTime') to: Date;
}

@Output()
abstract class AnalysisOutput {
  @Out(AnalysisRangeOutput, { inRest: { name: 'dateRange' } }) range: AnalysisRangeOutput;
}

@Output({ rest: 'FunnelStageResponse', graphql: 'FunnelStage' })
class FunnelStageOutput {
  @Out('String', {
    example: 'step_2',
    description: 'For example sent, entered, step_2, or goal_ followed by the goal ID.',
  })
  key: string;
  @Out('String', { example: 'Send email: welcome' }) label: string;
  @Out('Int') count: number;
  @Out('Float', { ...RATE, description: 'Percentage of the first stage. 0 if that is 0.' })
  rateFromStart: number;
  @Out('Float', { ...RATE, description: 'Percentage of the previous stage. 0 if that is 0.' })
  rateFromPrevious: number;
  @Out('Boolean', {
    description: 'False if the count was not measured. It is then unknown and returned as 0.',
  })
  isMeasured: boolean;
}

@Output({
  rest: 'FunnelResponse',
  graphql: 'Funnel',
  description: 'Messages sent in the period, or trips that entered a flow in it, by the stage they reached.',
})
export class FunnelOutput extends AnalysisOutput {
  @Out(oneOf(FUNNEL_TYPES, FunnelTypeEnum)) type: FunnelType;
  @Out([FunnelStageOutput]) stages: readonly FunnelStageOutput[];
}

@Output({ rest: 'CohortValueResponse', graphql: 'CohortValue' })
class CohortValueOutput {
  @Out('Int', { description: 'Number of periods after the cohort’s own, which is 0.' }) index: number;
  @Out('Int', { description: 'Number of people active in this period.' }) count: number;
  @Out('Float', { ...RATE, description: 'Percentage of the cohort.' }) rate: number;
}

@Output({
  rest: 'CohortOfPeriodResponse',
  graphql: 'Cohort',
  description: 'People who started in the same period.',
})
class CohortOutput {
  @Out('String', { example: '2026-03-02', description: 'First day of the period, as YYYY-MM-DD.' })
  start: string;
  @Out('Int') size: number;
  @Out([CohortValueOutput], { description: 'Periods that have not started yet are omitted.' })
  values: readonly CohortValueOutput[];
}

@Output({
  rest: 'CohortResponse',
  graphql: 'CohortReport',
  description: 'One cohort for each calendar period (UTC) in the range.',
})
export class CohortReportOutput extends AnalysisOutput {
  @Out(oneOf(COHORT_PERIODS, CohortPeriodEnum)) period: CohortPeriod;
  @Out([CohortOutput]) cohorts: readonly CohortOutput[];
}

@Output({ rest: 'PerformanceResponse' })
abstract class PerformanceOutput {
  @Out('Int', { description: 'Trips that entered in the period.' }) entered: number;
  @Out('Int', { description: 'Number of these trips that have completed so far.' }) completed: number;
  @Out('Float', RATE) completionRate: number;
  @Out('Int', { description: 'Messages sent in the period.' }) sent: number;
  @Out('Float', MEASURED_RATE) openRate: number | null;
  @Out('Float', MEASURED_RATE) clickRate: number | null;
  @Out(MeasuredEmailsOutput, {
    only: 'rest',
    description: 'How many messages were measured. Open and click rates refer to measured messages only.',
  })
  measured: MeasuredEmailsOutput;
  @Out('Int', { description: 'Trips that entered in the period and reached any goal.' }) conversions: number;
  @Out('Float', RATE) conversionRate: number;
}

@Output({ rest: 'ComparedFlowResponse', graphql: 'ComparedFlow' })
class ComparedFlowOutput extends PerformanceOutput {
  @Out('ID') flowId: string;
  @Out('String', { example: 'Onboarding' }) name: string;
  @Out('Int', { description: 'Messages whose unsubscribe link led to an opt-out.' }) unsubscribed: number;
}

@Output({
  rest: 'BestFlowsResponse',
  graphql: 'BestFlows',
  description: 'For each rate, the ID of the flow with the highest value. Null if the highest value is 0.',
})
class BestFlowsOutput {
  @Out('ID', { nullable: true }) completionRate: string | null;
  @Out('ID', { nullable: true }) openRate: string | null;
  @Out('ID', { nullable: true }) clickRate: string | null;
  @Out('ID', { nullable: true }) conversionRate: string | null;
}

@Output({
  rest: 'FlowComparisonResponse',
  graphql: 'FlowComparison',
  description: 'A comparison of flows. Rates are percentages.',
})
export class FlowComparisonOutput extends AnalysisOutput {
  @Out([ComparedFlowOutput], { description: 'In the order they were requested.' })
  flows: readonly ComparedFlowOutput[];
  @Out(BestFlowsOutput, {
    description: 'For each rate, the flow with the highest value. Null if the highest value is 0.',
  })
  best: BestFlowsOutput;
}

@Output({ rest: 'FlowGroupResponse', graphql: 'UntaggedFlowGroup', description: 'Flows without tags.' })
class FlowGroupOutput extends PerformanceOutput {
  @Out('Int') flows: number;
}

@Output({
  rest: 'TaggedGroupResponse',
  graphql: 'FlowGroup',
  description: 'Flows that currently have a tag.',
})
class TaggedGroupOutput extends FlowGroupOutput {
  @Out('String', { example: 'onboarding' }) tag: string;
}

@Output({
  rest: 'FlowGroupsResponse',
  graphql: 'FlowGroups',
  description: 'Flows grouped by tag. A flow with several tags is in several groups.',
})
export class FlowGroupsOutput extends AnalysisOutput {
  @Out([TaggedGroupOutput], { description: 'Sorted by tag.' }) groups: readonly TaggedGroupOutput[];
  @Out(FlowGroupOutput, {
    nullable: true,
    description: 'Flows without tags. Null if there are none, or if tags were requested.',
  })
  untagged: FlowGroupOutput | null;
}
