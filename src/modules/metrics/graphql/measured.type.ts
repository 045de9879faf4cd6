/** The GraphQL type of how much of what a metric covers was measured. */
import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('MeasuredMessages', { description: 'How many messages a metric was measured on.' })
export class MeasuredMessagesType {
  @Field(() => Int) measured: number;
  @Field(() => Int) of: number;
}

@ObjectType('MeasuredEmails')
export class MeasuredEmailsType {
  @Field(() => MeasuredMessagesType) deliveries: MeasuredMessagesType;
  @Field(() => MeasuredMessagesType) opens: MeasuredMessagesType;
  @Field(() => MeasuredMessagesType) clicks: MeasuredMessagesType;
}
