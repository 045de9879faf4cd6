/** The GraphQL type of a warning that an A/B test may give no meaningful result. */
import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType('AbTestWarning')
export class AbTestWarningType {
  @Field({ description: 'ab_metric_not_measured or ab_audience_too_small' }) code: string;
  @Field() message: string;
}
