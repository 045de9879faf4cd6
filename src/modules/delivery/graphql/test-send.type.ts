/** The result of a test email, as the dashboard shows it. */
import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('TestEmailResult', { description: 'Outcome for one recipient.' })
export class TestEmailResultType {
  @Field() email: string;
  @Field({ description: 'sent or failed' }) outcome: string;
  @Field(() => String, { nullable: true, description: 'A short code. Null if the email was sent.' })
  reason: string | null;
}

@ObjectType('TestEmailReport')
export class TestEmailReportType {
  @Field(() => Int) sentCount: number;
  @Field(() => [String], { description: 'Addresses the email was not sent to.' }) failed: readonly string[];
  @Field(() => [TestEmailResultType]) results: readonly TestEmailResultType[];
  @Field() allAccepted: boolean;
}
