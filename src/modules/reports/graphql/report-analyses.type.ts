/** The GraphQL types of analyses. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { CohortPeriod } from '../../metrics/domain/cohort.js';
import type { FunnelType } from '../domain/funnel.js';
import { CohortPeriodEnum, FunnelTypeEnum } from '../input/report-analyses.input.js';

@ObjectType('AnalysisRange', { description: 'The period of an analysis.' })
export class AnalysisRangeType {
  @Field(() => String, { nullable: true, description: 'Null if dates were given.' }) preset: string | null;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
}

@ObjectType('FunnelStage')
class FunnelStageType {
  @Field({ description: 'For example sent, entered, step_2, or goal_ followed by the goal ID.' }) key: string;
  @Field() label: string;
  @Field(() => Int) count: number;
  @Field({ description: 'False if the count was not measured.' }) isMeasured: boolean;
  @Field(() => Float, { description: 'Percentage of the first stage.' }) rateFromStart: number;
  @Field(() => Float, { description: 'Percentage of the previous stage.' }) rateFromPrevious: number;
}

@ObjectType('Funnel', {
  description: 'Messages sent in the period, or trips that entered a flow in it, by the stage they reached.',
})
export class FunnelResultType {
  @Field(() => FunnelTypeEnum) type: FunnelType;
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [FunnelStageType]) stages: readonly FunnelStageType[];
}

@ObjectType('CohortValue')
class CohortValueType {
  @Field(() => Int, { description: 'Number of periods after the cohort’s own, which is 0.' }) index: number;
  @Field(() => Int, { description: 'Number of people active in this period.' }) count: number;
  @Field(() => Float, { description: 'Percentage of the cohort.' }) rate: number;
}

@ObjectType('Cohort', { description: 'People who started in the same period.' })
class CohortType {
  @Field({ description: 'First day of the period, as YYYY-MM-DD.' }) start: string;
  @Field(() => Int) size: number;
  @Field(() => [CohortValueType], { description: 'Periods that have not started yet are omitted.' })
  values: readonly CohortValueType[];
}

@ObjectType('CohortReport', {
  description: 'One cohort for each calendar period (UTC) in the range.',
})
export class CohortReportType {
  @Field(() => CohortPeriodEnum) period: CohortPeriod;
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [CohortType]) cohorts: readonly CohortType[];
}

@ObjectType({ isAbstract: true })
abstract class PerformanceType {
  @Field(() => Int, { description: 'Trips that entered in the period.' }) entered: number;
  @Field(() => Int, { description: 'Number of these trips that have completed so far.' }) completed: number;
  @Field(() => Float) completionRate: number;
  @Field(() => Int, { description: 'Messages sent in the period.' }) sent: number;
  @Field(() => Float, { nullable: true, description: 'Null if it was not measured.' }) openRate:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Null if it was not measured.' }) clickRate:
    number | null;
  @Field(() => Int, { description: 'Trips that entered in the period and reached any goal.' })
  conversions: number;
  @Field(() => Float) conversionRate: number;
}

@ObjectType('ComparedFlow')
class ComparedFlowType extends PerformanceType {
  @Field(() => ID) flowId: string;
  @Field() name: string;
  @Field(() => Int, { description: 'Messages whose unsubscribe link led to an opt-out.' })
  unsubscribed: number;
}

@ObjectType('BestFlows', {
  description: 'For each rate, the ID of the flow with the highest value. Null if the highest value is 0.',
})
class BestFlowsType {
  @Field(() => ID, { nullable: true }) completionRate: string | null;
  @Field(() => ID, { nullable: true }) openRate: string | null;
  @Field(() => ID, { nullable: true }) clickRate: string | null;
  @Field(() => ID, { nullable: true }) conversionRate: string | null;
}

@ObjectType('FlowComparison', { description: 'A comparison of flows. Rates are percentages.' })
export class FlowComparisonType {
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [ComparedFlowType], { description: 'In the order they were requested.' })
  flows: readonly ComparedFlowType[];
  @Field(() => BestFlowsType) best: BestFlowsType;
}

@ObjectType('UntaggedFlowGroup', { description: 'Flows without tags.' })
class UntaggedFlowGroupType extends PerformanceType {
  @Field(() => Int) flows: number;
}

@ObjectType('FlowGroup', { description: 'Flows that currently have a tag.' })
class FlowGroupType extends PerformanceType {
  @Field() tag: string;
  @Field(() => Int) flows: number;
}

@ObjectType('FlowGroups', {
  description: 'Flows grouped by tag. A flow with several tags is in several groups.',
})
export class FlowGroupsType {
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [FlowGroupType], { description: 'Sorted by tag.' }) groups: readonly FlowGroupType[];
  @Field(() => UntaggedFlowGroupType, {
    nullable: true,
    description: 'Null if there are none, or if tags were requested.',
  })
  untagged: UntaggedFlowGroupType | null;
}
