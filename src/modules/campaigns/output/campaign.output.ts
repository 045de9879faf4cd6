/** A campaign in REST (sections 2.9 and 4.5) and in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import { InspectWarningOutput } from '../../inspect/output/inspect-warning.output.js';
import { AB_METRICS } from '../domain/ab-test.js';
import type { CampaignCounts } from '../domain/campaign-filter.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../domain/campaign-status.js';
import { PAUSED_REASONS } from '../domain/campaign.js';
import { CampaignStatusEnum } from '../input/campaign-list.input.js';
import { AbWarningOutput } from './ab-warning.output.js';

@Output({ rest: 'AbVariantResponse', graphql: 'AbVariant' })
class AbVariantOutput {
  @Out('String', { example: 'A' }) name: string;
  @Out('String', { nullable: true, example: 'Spring is here' }) subject: string | null;
  @Out('ID', { nullable: true }) templateId: string | null;
  @Out('String', { nullable: true, example: 'Acme' }) senderName: string | null;
}

@Output({ rest: 'AbGoalResponse', graphql: 'AbGoal' })
class AbGoalOutput {
  @Out('String', { example: 'order_placed' }) eventName: string;
  @Out('JSON') eventFilters: JsonObject;
  @Out('Int', { example: 24 }) windowHours: number;
}

@Output({
  rest: 'AbTestResponse',
  graphql: 'AbTest',
  description: 'Variants that are tested on part of the audience first.',
})
class AbTestOutput {
  @Out([AbVariantOutput]) variants: readonly AbVariantOutput[];
  @Out('Int', { example: 20, description: 'Percentage of the audience that takes part in the test.' })
  testPercentage: number;
  @Out(oneOf(AB_METRICS), { description: 'open_rate, click_rate or conversion_rate' }) metric: string;
  @Out(AbGoalOutput, { nullable: true }) goal: AbGoalOutput | null;
  @Out('Int', { example: 4 }) durationHours: number;
  @Out(oneOf(['auto', 'manual']), { description: 'auto or manual' }) sendWinner: string;
  @Out('Int', { example: 0, description: 'Percentage of the audience that receives nothing.' })
  holdoutPercentage: number;
}

@Output({ rest: 'RecurrenceResponse', graphql: 'Recurrence' })
class RecurrenceOutput {
  @Out(oneOf(['daily', 'weekly', 'monthly']), { description: 'daily, weekly or monthly' }) frequency: string;
  @Out('Int', { nullable: true, description: '0 (Monday) to 6 (Sunday).' }) dayOfWeek: number | null;
  @Out('Int', { nullable: true }) dayOfMonth: number | null;
  @Out('Int', { example: 9 }) hour: number;
  @Out('Int', { example: 0 }) minute: number;
  @Out('String', { example: 'Europe/Berlin' }) timezone: string;
  @Out('DateTime', { nullable: true }) endsAt: Date | null;
  @Out('Int', { nullable: true }) maxInstances: number | null;
}

@Output({ rest: 'CampaignResponse', graphql: 'Campaign', description: 'Fields that are not set are null.' })
export class CampaignOutput {
  @Out('ID') id: string;
  @Out('String', { example: 'Spring sale' }) name: string;
  @Out('String', { nullable: true, example: 'Spring is here' }) subject: string | null;
  @Out('ID', { nullable: true }) templateId: string | null;
  @Out('ID', { nullable: true }) segmentId: string | null;
  @Out('String', { nullable: true, example: 'Acme' }) senderName: string | null;
  @Out('String', { nullable: true, example: 'hello@acme.test' }) senderEmail: string | null;
  @Out('String', { nullable: true, example: 'help@acme.test' }) replyTo: string | null;
  @Out(oneOf(CAMPAIGN_STATUSES, CampaignStatusEnum)) status: CampaignStatus;
  @Out(AbTestOutput, { nullable: true }) abTest: AbTestOutput | null;
  @Out(RecurrenceOutput, { nullable: true }) recurrence: RecurrenceOutput | null;
  @Out('DateTime', { nullable: true }) scheduledAt: Date | null;
  @Out('Boolean', {
    description: 'Whether each contact receives the campaign at the scheduled time in its time zone.',
  })
  localTime: boolean;
  @Out('Int', { nullable: true }) maxPerHour: number | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When the next instance of a recurring campaign starts. Null if none is due.',
  })
  nextRunAt: Date | null;
  @Out(oneOf([...PAUSED_REASONS, null]), {
    nullable: true,
    description: 'Null if the campaign is not paused or was paused by a user.',
  })
  pausedReason: string | null;
  @Out('DateTime', { nullable: true }) startedAt: Date | null;
  @Out('DateTime', { nullable: true }) completedAt: Date | null;
  @Out('Int', {
    nullable: true,
    description: 'Number of contacts in the segment when sending started. Null before that.',
  })
  audienceSize: number | null;
  @Out('String', { description: 'ID of the member who created it.' }) createdBy: string;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
  @Out([InspectWarningOutput], {
    only: 'graphql',
    optional: true,
    description:
      'Open critical findings of the campaign’s templates. Only returned by mutations that start it, if ' +
      'blocking is set to warn; null otherwise.',
  })
  warnings?: readonly InspectWarningOutput[] | undefined;
  @Out([AbWarningOutput], {
    only: 'graphql',
    optional: true,
    description:
      'Reasons why the A/B test may not give a meaningful result. Only returned by mutations that start it; ' +
      'null otherwise.',
  })
  abTestWarnings?: readonly AbWarningOutput[] | undefined;
}

/** A campaign that starts, now or later. */
@Output({ rest: 'BegunCampaignResponse' })
export class BegunCampaignOutput extends CampaignOutput {
  @Out([InspectWarningOutput], {
    only: 'rest',
    optional: true,
    description:
      'Open critical findings of the campaign’s templates, at most 100. Omitted if there are none.',
  })
  override warnings?: readonly InspectWarningOutput[] | undefined;
  @Out([AbWarningOutput], {
    only: 'rest',
    optional: true,
    description: 'Reasons why the A/B test may not give a meaningful result. Omitted if there are none.',
  })
  override abTestWarnings?: readonly AbWarningOutput[] | undefined;
}

@Output({
  rest: 'CampaignCountsResponse',
  graphql: 'CampaignCounts',
  description: 'Number of campaigns in the environment by status. Filters do not apply.',
})
class CampaignCountsOutput {
  @Out('Int') all: number;
  @Out('Int') draft: number;
  @Out('Int') scheduled: number;
  @Out('Int') sending: number;
  @Out('Int') sent: number;
  @Out('Int') paused: number;
  @Out('Int') resumed: number;
  @Out('Int') cancelled: number;
  @Out('Int') abTesting: number;
  @Out('Int') recurring: number;
  @Out('Int') stopped: number;
}

/** What lists return besides the campaigns. */
export class CampaignListFields {
  @Out(CampaignCountsOutput) counts: CampaignCountsOutput;
}

export const CampaignConnection = connection('Campaign', CampaignOutput, {
  counted: true,
  fields: CampaignListFields,
});

@Output({ rest: 'CampaignListResponse' })
export class CampaignListOutput extends restPage('CampaignListResponse', 'campaigns', CampaignOutput) {
  @Out(CampaignCountsOutput, {
    description: 'Number of campaigns in the environment by status. Filters do not apply.',
  })
  counts: CampaignCountsOutput;
}

export function campaignCounts({ ab_testing: abTesting, ...counts }: CampaignCounts): CampaignCountsOutput {
  return { ...counts, abTesting };
}
