/** Analyses as the dashboard sees them. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { CohortPeriod } from '../../metrics/domain/cohort.js';
import type { FunnelType } from '../domain/funnel.js';
import { CohortPeriodEnum, FunnelTypeEnum } from '../input/report-analyses.input.js';

@ObjectType('AnalysisRange', { description: 'The period of an analysis.' })
export class AnalysisRangeType {
  @Field(() => String, { nullable: true, description: 'Null of dates.' }) preset: string | null;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
}

@ObjectType('FunnelStage')
class FunnelStageType {
  @Field({ description: 'Such as sent, entered, step_2 or goal_ and the goal’s id.' }) key: string;
  @Field() label: string;
  @Field(() => Int) count: number;
  @Field({ description: 'False where nobody measured the count.' }) isMeasured: boolean;
  @Field(() => Float, { description: 'Percent of the first stage.' }) rateFromStart: number;
  @Field(() => Float, { description: 'Percent of the stage before.' }) rateFromPrevious: number;
}

@ObjectType('Funnel', {
  description:
    'Messages that were sent in the period, or trips that entered a flow in it, by how far they came.',
})
export class FunnelResultType {
  @Field(() => FunnelTypeEnum) type: FunnelType;
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [FunnelStageType]) stages: readonly FunnelStageType[];
}

@ObjectType('CohortValue')
class CohortValueType {
  @Field(() => Int, { description: 'Periods behind that of the cohort; 0 is its own.' }) index: number;
  @Field(() => Int, { description: 'People who were active in that period.' }) count: number;
  @Field(() => Float, { description: 'Percent of the cohort.' }) rate: number;
}

@ObjectType('Cohort', { description: 'Who began in one period.' })
class CohortType {
  @Field({ description: 'The first day of the period, YYYY-MM-DD.' }) start: string;
  @Field(() => Int) size: number;
  @Field(() => [CohortValueType], { description: 'Without those periods that have not begun yet.' })
  values: readonly CohortValueType[];
}

@ObjectType('CohortReport', {
  description: 'A cohort for each calendar period of UTC that the range touches.',
})
export class CohortReportType {
  @Field(() => CohortPeriodEnum) period: CohortPeriod;
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [CohortType]) cohorts: readonly CohortType[];
}

@ObjectType({ isAbstract: true })
abstract class PerformanceType {
  @Field(() => Int, { description: 'Trips that entered in the period.' }) entered: number;
  @Field(() => Int, { description: 'Those of them that are completed by now.' }) completed: number;
  @Field(() => Float) completionRate: number;
  @Field(() => Int, { description: 'Messages that were sent in the period.' }) sent: number;
  @Field(() => Float, { nullable: true, description: 'Null where nobody measured it.' }) openRate:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Null where nobody measured it.' }) clickRate:
    number | null;
  @Field(() => Int, { description: 'Trips that entered in the period and came to any goal.' })
  conversions: number;
  @Field(() => Float) conversionRate: number;
}

@ObjectType('ComparedFlow')
class ComparedFlowType extends PerformanceType {
  @Field(() => ID) flowId: string;
  @Field() name: string;
  @Field(() => Int, { description: 'Messages whose link led to an opt-out.' }) unsubscribed: number;
}

@ObjectType('BestFlows', {
  description: 'The id of the flow whose rate is best; null where the best is 0.',
})
class BestFlowsType {
  @Field(() => ID, { nullable: true }) completionRate: string | null;
  @Field(() => ID, { nullable: true }) openRate: string | null;
  @Field(() => ID, { nullable: true }) clickRate: string | null;
  @Field(() => ID, { nullable: true }) conversionRate: string | null;
}

@ObjectType('FlowComparison', { description: 'Flows side by side; rates are percentages.' })
export class FlowComparisonType {
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [ComparedFlowType], { description: 'In the order in which they are named.' })
  flows: readonly ComparedFlowType[];
  @Field(() => BestFlowsType) best: BestFlowsType;
}

@ObjectType('UntaggedFlowGroup', { description: 'Flows without tags.' })
class UntaggedFlowGroupType extends PerformanceType {
  @Field(() => Int) flows: number;
}

@ObjectType('FlowGroup', { description: 'Flows that have a tag now.' })
class FlowGroupType extends PerformanceType {
  @Field() tag: string;
  @Field(() => Int) flows: number;
}

@ObjectType('FlowGroups', { description: 'Flows by their tags; one with several is in several groups.' })
export class FlowGroupsType {
  @Field(() => AnalysisRangeType) range: AnalysisRangeType;
  @Field(() => [FlowGroupType], { description: 'Sorted by tag.' }) groups: readonly FlowGroupType[];
  @Field(() => UntaggedFlowGroupType, {
    nullable: true,
    description: 'Null where there are none, and where tags are asked for.',
  })
  untagged: UntaggedFlowGroupType | null;
}
