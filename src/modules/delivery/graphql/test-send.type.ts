/** What came of a test email, as the dashboard sees it. */
import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('TestEmailResult', { description: 'What came of one recipient.' })
export class TestEmailResultType {
  @Field() email: string;
  @Field({ description: 'sent or failed' }) outcome: string;
  @Field(() => String, { nullable: true, description: 'A short code; null when it was sent.' })
  reason: string | null;
}

@ObjectType('TestEmailReport')
export class TestEmailReportType {
  @Field(() => Int) sentCount: number;
  @Field(() => [String], { description: 'Those that were not sent it.' }) failed: readonly string[];
  @Field(() => [TestEmailResultType]) results: readonly TestEmailResultType[];
  @Field() allAccepted: boolean;
}
