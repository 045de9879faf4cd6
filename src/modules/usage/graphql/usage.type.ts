/** GraphQL types of usage. */
import { Field, Float, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { LimitType } from '../../limits/domain/plan.js';
import type { UsageOverview } from '../application/usage.service.js';
import { percentOf, type Threshold } from '../domain/usage.js';

@ObjectType('UsedLimit', { description: 'A plan limit and its current usage.' })
export class UsedLimitType {
  @Field(() => String, {
    description:
      'The limit as named in plan_limit_reached errors: emails and events count per period; contacts, ' +
      'api_keys, members and flows count in total.',
  })
  limitType: LimitType;

  @Field(() => String, {
    nullable: true,
    description: 'live or test for limits counted per environment. Null for limits shared by both.',
  })
  environment: Environment | null;

  @Field(() => Float) current: number;
  @Field(() => Float, { nullable: true, description: 'The maximum. Null if unlimited.' }) maximum:
    number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Usage as a percentage of the maximum. Can exceed 100 after a downgrade. Null if unlimited.',
  })
  percent: number | null;
}

@ObjectType('UsageNotice', { description: 'A usage notice emailed to the owner and the admins.' })
export class UsageNoticeType {
  @Field(() => String) limitType: LimitType;
  @Field(() => String) environment: Environment;
  @Field(() => Int, { description: 'The usage level reached, in percent of the maximum: 80 or 100.' })
  threshold: Threshold;
  @Field(() => Float, { description: 'Usage when the notice was created.' }) current: number;
  @Field(() => Float) maximum: number;
  @Field(() => GraphQLISODateTime) at: Date;
}

@ObjectType('Usage', { description: 'Usage of the plan’s limits.' })
export class UsageType {
  @Field() plan: string;
  @Field(() => GraphQLISODateTime, {
    description:
      'Start of the period for emails and events: the first of the month in UTC, or the last renewal.',
  })
  periodStart: Date;
  @Field(() => GraphQLISODateTime, {
    description: 'When the counts of emails and events reset, unless the plan is renewed earlier.',
  })
  periodEnd: Date;
  @Field(() => Int, {
    nullable: true,
    description: 'How many days events are kept. Null if they are kept indefinitely.',
  })
  retentionDays: number | null;
  @Field(() => [UsedLimitType]) limits: readonly UsedLimitType[];
  @Field(() => [UsageNoticeType], { description: 'Notices of the current period, newest first.' })
  notices: readonly UsageNoticeType[];
}

export function usageTypeOf({ plan, period, limits, notices }: UsageOverview): UsageType {
  return {
    plan: plan.name,
    periodStart: period.start,
    periodEnd: period.end,
    retentionDays: finite(plan.retentionDays),
    limits: limits.map((limit) => ({ ...limit, maximum: finite(limit.maximum), percent: percentOf(limit) })),
    notices,
  };
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
