/** The usage of a plan in GraphQL. */
import type { Environment } from '../../../kernel/tenant-scope.js';
import { Out, Output } from '../../../platform/output/output-class.js';
import type { LimitType } from '../../limits/domain/plan.js';
import type { UsageOverview } from '../application/usage.service.js';
import { percentOf, type Threshold } from '../domain/usage.js';

@Output({ graphql: 'UsedLimit', description: 'A plan limit and its current usage.' })
export class UsedLimitOutput {
  @Out('String', {
    description:
      'The limit as named in plan_limit_reached errors: emails and events count per period; contacts, ' +
      'api_keys, members and flows count in total.',
  })
  limitType: LimitType;

  @Out('String', {
    nullable: true,
    description: 'live or test for limits counted per environment. Null for limits shared by both.',
  })
  environment: Environment | null;

  @Out('Float') current: number;
  @Out('Float', { nullable: true, description: 'The maximum. Null if unlimited.' }) maximum: number | null;
  @Out('Float', {
    nullable: true,
    description: 'Usage as a percentage of the maximum. Can exceed 100 after a downgrade. Null if unlimited.',
  })
  percent: number | null;
}

@Output({ graphql: 'UsageNotice', description: 'A usage notice emailed to the owner and the admins.' })
export class UsageNoticeOutput {
  @Out('String') limitType: LimitType;
  @Out('String') environment: Environment;
  @Out('Int', { description: 'The usage level reached, in percent of the maximum: 80 or 100.' })
  threshold: Threshold;
  @Out('Float', { description: 'Usage when the notice was created.' }) current: number;
  @Out('Float') maximum: number;
  @Out('DateTime') at: Date;
}

@Output({ graphql: 'Usage', description: 'Usage of the plan’s limits.' })
export class UsageOutput {
  @Out('String') plan: string;
  @Out('DateTime', {
    description:
      'Start of the period for emails and events: the first of the month in UTC, or the last renewal.',
  })
  periodStart: Date;
  @Out('DateTime', {
    description: 'When the counts of emails and events reset, unless the plan is renewed earlier.',
  })
  periodEnd: Date;
  @Out('Int', {
    nullable: true,
    description: 'How many days events are kept. Null if they are kept indefinitely.',
  })
  retentionDays: number | null;
  @Out([UsedLimitOutput]) limits: readonly UsedLimitOutput[];
  @Out([UsageNoticeOutput], { description: 'Notices of the current period, newest first.' })
  notices: readonly UsageNoticeOutput[];
}

export function usageOutput({ plan, period, limits, notices }: UsageOverview): UsageOutput {
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
