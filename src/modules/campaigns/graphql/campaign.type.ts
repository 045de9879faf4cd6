/** The GraphQL types of a campaign. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { InspectWarningOutput } from '../../inspect/output/inspect-warning.output.js';
import type { CampaignCounts } from '../domain/campaign-filter.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import { CampaignStatusEnum } from '../input/campaign-list.input.js';
import { AbTestWarningType } from './ab-warning.type.js';

@ObjectType('AbVariant')
class AbVariantType {
  @Field() name: string;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field(() => ID, { nullable: true }) templateId: string | null;
  @Field(() => String, { nullable: true }) senderName: string | null;
}

@ObjectType('AbGoal')
class AbGoalType {
  @Field() eventName: string;
  @Field(() => JsonScalar) eventFilters: JsonObject;
  @Field(() => Int) windowHours: number;
}

@ObjectType('AbTest', { description: 'Variants that are tested on part of the audience first.' })
class AbTestType {
  @Field(() => [AbVariantType]) variants: readonly AbVariantType[];
  @Field(() => Int, { description: 'Percentage of the audience that takes part in the test.' })
  testPercentage: number;
  @Field({ description: 'open_rate, click_rate or conversion_rate' }) metric: string;
  @Field(() => AbGoalType, { nullable: true }) goal: AbGoalType | null;
  @Field(() => Int) durationHours: number;
  @Field({ description: 'auto or manual' }) sendWinner: string;
  @Field(() => Int, { description: 'Percentage of the audience that receives nothing.' })
  holdoutPercentage: number;
}

@ObjectType('Recurrence')
class RecurrenceType {
  @Field({ description: 'daily, weekly or monthly' }) frequency: string;
  @Field(() => Int, { nullable: true, description: '0 (Monday) to 6 (Sunday).' }) dayOfWeek: number | null;
  @Field(() => Int, { nullable: true }) dayOfMonth: number | null;
  @Field(() => Int) hour: number;
  @Field(() => Int) minute: number;
  @Field() timezone: string;
  @Field(() => GraphQLISODateTime, { nullable: true }) endsAt: Date | null;
  @Field(() => Int, { nullable: true }) maxInstances: number | null;
}

@ObjectType('Campaign', { description: 'Fields that are not set are null.' })
export class CampaignType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field(() => ID, { nullable: true }) templateId: string | null;
  @Field(() => ID, { nullable: true }) segmentId: string | null;
  @Field(() => String, { nullable: true }) senderName: string | null;
  @Field(() => String, { nullable: true }) senderEmail: string | null;
  @Field(() => String, { nullable: true }) replyTo: string | null;
  @Field(() => CampaignStatusEnum) status: CampaignStatus;
  @Field(() => AbTestType, { nullable: true }) abTest: AbTestType | null;
  @Field(() => RecurrenceType, { nullable: true }) recurrence: RecurrenceType | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) scheduledAt: Date | null;
  @Field({
    description: 'Whether each contact receives the campaign at the scheduled time in its time zone.',
  })
  localTime: boolean;
  @Field(() => Int, { nullable: true }) maxPerHour: number | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the next instance of a recurring campaign starts. Null if none is due.',
  })
  nextRunAt: Date | null;
  @Field(() => String, {
    nullable: true,
    description: 'Null if the campaign is not paused or was paused by a user.',
  })
  pausedReason: string | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) startedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) completedAt: Date | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Number of contacts in the segment when sending started. Null before that.',
  })
  audienceSize: number | null;
  @Field() createdBy: string;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => [InspectWarningOutput], {
    nullable: true,
    description:
      'Open critical findings of the campaign’s templates. Only returned by mutations that start it, if ' +
      'blocking is set to warn; null otherwise.',
  })
  warnings?: readonly InspectWarningOutput[];
  @Field(() => [AbTestWarningType], {
    nullable: true,
    description:
      'Reasons why the A/B test may not give a meaningful result. Only returned by mutations that start it; ' +
      'null otherwise.',
  })
  abTestWarnings?: readonly AbTestWarningType[];
}

@ObjectType('CampaignCounts', {
  description: 'Number of campaigns in the environment by status. Filters do not apply.',
})
class CampaignCountsType {
  @Field(() => Int) all: number;
  @Field(() => Int) draft: number;
  @Field(() => Int) scheduled: number;
  @Field(() => Int) sending: number;
  @Field(() => Int) sent: number;
  @Field(() => Int) paused: number;
  @Field(() => Int) resumed: number;
  @Field(() => Int) cancelled: number;
  @Field(() => Int) abTesting: number;
  @Field(() => Int) recurring: number;
  @Field(() => Int) stopped: number;
}

@ObjectType('CampaignEdge')
export class CampaignEdgeType extends edge<CampaignType>(() => CampaignType) {}

@ObjectType('CampaignConnection')
export class CampaignConnectionType extends connection(() => CampaignEdgeType) {
  @Field(() => CampaignCountsType) counts: CampaignCountsType;
  @Field(() => Int) totalCount: number;
}

export function campaignCountsType({ ab_testing: abTesting, ...counts }: CampaignCounts): CampaignCountsType {
  return { ...counts, abTesting };
}
