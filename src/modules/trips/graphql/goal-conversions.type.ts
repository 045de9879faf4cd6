/** GraphQL types for conversions of a flow's goals. */
import { Field, Float, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import { FlowGoalType } from '../../flows/graphql/goal.type.js';

@ObjectType('GoalConversions')
export class GoalConversionsType {
  @Field(() => FlowGoalType) goal: FlowGoalType;
  @Field(() => Int, { description: 'Trips that entered the flow in the period.' }) entered: number;
  @Field(() => Int, { description: 'Number of these trips that converted at any time.' }) conversions: number;
  @Field(() => Int, { description: 'Conversion events that occurred in the period.' })
  totalConversions: number;
  @Field(() => Float, {
    description: 'Percentage of entered trips that converted, with two decimals. 0 if no trips entered.',
  })
  conversionRate: number;
}

@ObjectType('DateRange')
export class DateRangeType {
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime) to: Date;
}

@ObjectType('FlowConversions')
export class FlowConversionsType {
  @Field(() => [GoalConversionsType], { description: 'In the order of the goals.' })
  goals: readonly GoalConversionsType[];
  @Field(() => DateRangeType) period: DateRangeType;
}
