/** Credits and config of quality analysis, as the dashboard shows them. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { CreditEntry } from '../domain/runs/credits.js';
import type { Blocking, SpamProvider } from '../domain/runs/inspect-config.js';
import { InspectBlockingEnum, SpamProviderEnum } from '../input/inspect-config.input.js';

@ObjectType('InspectCreditEntry', { description: 'A credit that was charged or refunded.' })
class InspectCreditEntryType {
  @Field(() => ID) id: string;
  @Field(() => Int) delta: number;
  @Field({ description: 'full_run or failed_run' }) reason: string;
  @Field(() => ID, { nullable: true }) jobId: string | null;
  @Field() templateSlug: string;
  @Field(() => Int) templateVersion: number;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('InspectCredits')
export class InspectCreditsType {
  @Field(() => Int, { nullable: true, description: 'Null if the plan is unlimited.' })
  balance: number | null;
  @Field(() => Int, { nullable: true }) monthly: number | null;
  @Field(() => Int) used: number;
  @Field(() => GraphQLISODateTime) resetsAt: Date;
  @Field(() => [InspectCreditEntryType], { description: 'The latest entries, newest first.' })
  ledger: readonly CreditEntry[];
}

@ObjectType('InspectConfig', { description: 'Quality analysis settings of the workspace.' })
export class InspectConfigType {
  @Field(() => [String]) renderClients: readonly string[];
  @Field() autoRunOnSave: boolean;
  @Field(() => InspectBlockingEnum) blocking: Blocking;
  @Field(() => SpamProviderEnum) spamProvider: SpamProvider;
  @Field(() => [String]) snoozedCodes: readonly string[];
}
