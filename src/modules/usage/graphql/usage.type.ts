/** Usage as the dashboard sees it. */
import { Field, Float, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { LimitType } from '../../limits/domain/plan.js';
import type { ShownUsage } from '../application/usage.service.js';
import { percentOf, type Threshold } from '../domain/usage.js';

@ObjectType('UsedLimit', { description: 'A cap of the plan, and what is used of it.' })
export class UsedLimitType {
  @Field(() => String, {
    description:
      'emails and events of the period, or contacts, api_keys, members, flows: as refusals with plan_limit_reached name it.',
  })
  limitType: LimitType;

  @Field(() => String, {
    nullable: true,
    description: 'live or test, which have the cap each for itself; null for what both have together.',
  })
  environment: Environment | null;

  @Field(() => Float) current: number;
  @Field(() => Float, { nullable: true, description: 'Null where it is unlimited.' }) maximum: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Of the maximum, 0 to 100, and more after a smaller plan.',
  })
  percent: number | null;
}

@ObjectType('UsageNotice', { description: 'That the owner and the admins were told by mail.' })
export class UsageNoticeType {
  @Field(() => String) limitType: LimitType;
  @Field(() => String) environment: Environment;
  @Field(() => Int, { description: 'Percent of the maximum that were used: 80 or 100.' })
  threshold: Threshold;
  @Field(() => Float, { description: 'As it was then.' }) current: number;
  @Field(() => Float) maximum: number;
  @Field(() => GraphQLISODateTime) at: Date;
}

@ObjectType('Usage', { description: 'How much of the plan is used.' })
export class UsageType {
  @Field() plan: string;
  @Field(() => GraphQLISODateTime, {
    description: 'Since when emails and events count: the month in UTC, or its last renewal.',
  })
  periodStart: Date;
  @Field(() => GraphQLISODateTime, {
    description: 'When they count anew, unless the plan is renewed before.',
  })
  periodEnd: Date;
  @Field(() => Int, { nullable: true, description: 'For how long events are kept; null for ever.' })
  retentionDays: number | null;
  @Field(() => [UsedLimitType]) limits: readonly UsedLimitType[];
  @Field(() => [UsageNoticeType], { description: 'Of the present period, the latest first.' })
  notices: readonly UsageNoticeType[];
}

export function usageTypeOf({ plan, period, limits, notices }: ShownUsage): UsageType {
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
