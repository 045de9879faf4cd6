/** A goal in GraphQL. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';

@ObjectType('FlowGoal', {
  description: 'An event that counts as a conversion of earlier trips.',
})
export class FlowGoalType {
  @Field(() => ID) id: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int, { description: 'Starts at 0, without gaps.' }) position: number;
  @Field() name: string;
  @Field() eventName: string;
  @Field(() => JsonScalar) eventFilters: JsonObject;
  @Field(() => Int) attributionWindowValue: number;
  @Field({ description: 'hours, days or weeks' }) attributionWindowUnit: string;
  @Field() exitOnConversion: boolean;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}
