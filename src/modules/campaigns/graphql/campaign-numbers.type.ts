/** The GraphQL types of campaign statistics. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import type { AbResults } from '../application/campaign-ab-tests.js';
import type { ListedInstance } from '../application/campaign-views.js';
import { isUnmeasured, type Measured } from '../../metrics/domain/measured.js';
import { MeasuredEmailsOutput, MeasuredOutput } from '../../metrics/output/measured.output.js';
import { ratesOf, splitMetrics, type MeasuredCampaignMetrics } from '../domain/campaign-analytics.js';
import { AbTestWarningType } from './ab-warning.type.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import type { RecipientStatus } from '../domain/recipient.js';
import { CampaignStatusEnum } from '../input/campaign-list.input.js';
import { RecipientStatusEnum } from '../input/campaign-dashboard.input.js';

const UNMEASURED = { nullable: true, description: 'Null if it was not measured.' } as const;

@ObjectType('CampaignNumbers', {
  description:
    'Counts people, not opens. Rates are percentages of sent messages that did not bounce, and click-to-open of ' +
    'opened messages. Rates of opens and clicks cover measured messages only.',
})
export class CampaignNumbersType {
  @Field(() => Int) audience: number;
  @Field(() => Int) pending: number;
  @Field(() => Int) sent: number;
  @Field(() => Int) failed: number;
  @Field(() => Int) suppressed: number;
  @Field(() => Int) skipped: number;
  @Field(() => Int) cancelled: number;
  @Field(() => Int) unknown: number;
  @Field(() => Int, UNMEASURED) delivered: number | null;
  @Field(() => Int, UNMEASURED) opened: number | null;
  @Field(() => Int, UNMEASURED) clicked: number | null;
  @Field(() => Int) bounced: number;
  @Field(() => Int) spamReports: number;
  @Field(() => Int) unsubscribed: number;
  @Field(() => Int) machineOpened: number;
  @Field(() => Int) machineClicked: number;
  @Field(() => MeasuredEmailsOutput) measured: MeasuredEmailsOutput;
  @Field(() => Float, UNMEASURED) openRate: number | null;
  @Field(() => Float, UNMEASURED) clickRate: number | null;
  @Field(() => Float, UNMEASURED) clickToOpenRate: number | null;
  @Field(() => Float, { description: 'Percentage of sent messages that bounced.' }) bounceRate: number;
  @Field(() => Float) spamRate: number;
  @Field(() => Float) unsubscribeRate: number;
}

export function campaignNumbersType(all: MeasuredCampaignMetrics): CampaignNumbersType {
  const { numbers, measured } = splitMetrics(all);
  const ifMeasured = (value: number, of: Measured): number | null => (isUnmeasured(of) ? null : value);
  return {
    ...numbers,
    ...ratesOf(all),
    measured,
    delivered: ifMeasured(numbers.delivered, measured.deliveries),
    opened: ifMeasured(numbers.opened, measured.opens),
    clicked: ifMeasured(numbers.clicked, measured.clicks),
  };
}

@ObjectType('CampaignProgress', {
  description: 'Progress of a sending. For a recurring campaign, of its latest instance.',
})
export class CampaignProgressType {
  @Field(() => CampaignStatusEnum) status: CampaignStatus;
  @Field(() => String, { nullable: true }) pausedReason: string | null;
  @Field({ description: 'Whether all recipients have been selected.' }) isAudienceTaken: boolean;
  @Field(() => CampaignNumbersType) numbers: CampaignNumbersType;
  @Field(() => Float, {
    nullable: true,
    description: 'Throughput, in messages per minute. Null if unknown.',
  })
  perMinute: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Estimated time until the last message, in seconds. Null if it cannot be estimated.',
  })
  secondsLeft: number | null;
}

@ObjectType('CampaignInstance', { description: 'One sending of a campaign.' })
export class CampaignInstanceType {
  @Field(() => ID) id: string;
  @Field(() => ID) campaignId: string;
  @Field(() => Int, { description: 'Sequence number, starting at 1.' }) number: number;
  @Field(() => CampaignStatusEnum) status: CampaignStatus;
  @Field(() => GraphQLISODateTime, { nullable: true }) scheduledAt: Date | null;
  @Field(() => GraphQLISODateTime) startedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) completedAt: Date | null;
  @Field(() => CampaignNumbersType) numbers: CampaignNumbersType;
}

@ObjectType('CampaignInstanceEdge')
class CampaignInstanceEdgeType extends edge<CampaignInstanceType>(() => CampaignInstanceType) {}

@ObjectType('CampaignInstanceConnection')
export class CampaignInstanceConnectionType extends connection(() => CampaignInstanceEdgeType) {
  @Field(() => Int) totalCount: number;
}

export function campaignInstanceType({ instance, numbers }: ListedInstance): CampaignInstanceType {
  return { ...instance, numbers: campaignNumbersType(numbers) };
}

@ObjectType('CampaignRecipient', {
  description: 'A recipient of a campaign and the outcome of its message.',
})
export class CampaignRecipientType {
  @Field(() => ID) contactId: string;
  @Field(() => String, { nullable: true }) externalId: string | null;
  @Field(() => String, { nullable: true }) email: string | null;
  @Field(() => RecipientStatusEnum) status: RecipientStatus;
  @Field(() => String, {
    nullable: true,
    description: 'Why the contact received no message. Null if it did.',
  })
  reason: string | null;
  @Field(() => String, { nullable: true }) variant: string | null;
  @Field(() => ID, { nullable: true }) emailLogId: string | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) deliveredAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) openedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) clickedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) bouncedAt: Date | null;
}

@ObjectType('CampaignRecipientEdge')
class CampaignRecipientEdgeType extends edge<CampaignRecipientType>(() => CampaignRecipientType) {}

@ObjectType('CampaignRecipientConnection')
export class CampaignRecipientConnectionType extends connection(() => CampaignRecipientEdgeType) {
  @Field(() => Int) totalCount: number;
}

@ObjectType('AbVariantResults', { description: 'Results of the test group of one variant.' })
class AbVariantResultsType {
  @Field() name: string;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field(() => ID, { nullable: true }) templateId: string | null;
  @Field(() => Int) recipients: number;
  @Field(() => Int) sent: number;
  @Field(() => Int) opened: number;
  @Field(() => Int) clicked: number;
  @Field(() => Int) conversions: number;
  @Field(() => Float, {
    nullable: true,
    description:
      'Messages opened, clicked or converted, depending on the metric, as a percentage of sent messages that did ' +
      'not bounce. Opens and clicks cover measured messages only. Null if none were measured.',
  })
  rate: number | null;
  @Field(() => MeasuredOutput) measured: MeasuredOutput;
  @Field(() => [Float], { description: '95% confidence interval of the rate.' })
  interval: readonly number[];
}

@ObjectType('AbHoldoutResults', { description: 'The control group, which receives nothing.' })
class AbHoldoutResultsType {
  @Field(() => Int) recipients: number;
  @Field(() => Int) conversions: number;
  @Field(() => Float) rate: number;
}

@ObjectType('AbResults', { description: 'Results of an A/B test and their statistical significance.' })
export class AbResultsType {
  @Field({ description: 'not_started, running or decided' }) status: string;
  @Field({ description: 'open_rate, click_rate or conversion_rate' }) metric: string;
  @Field(() => GraphQLISODateTime, { nullable: true }) startedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) endsAt: Date | null;
  @Field(() => [AbVariantResultsType]) variants: readonly AbVariantResultsType[];
  @Field(() => AbHoldoutResultsType, { nullable: true }) holdout: AbHoldoutResultsType | null;
  @Field(() => String, { nullable: true }) winner: string | null;
  @Field(() => String, { nullable: true, description: 'automatic or manual. Null until a winner is chosen.' })
  decidedBy: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'metric_not_measured if the data cannot decide the test and a winner must be chosen manually. Null ' +
      'otherwise.',
  })
  undecidedReason: string | null;
  @Field(() => [AbTestWarningType], {
    description: 'Reasons why the A/B test may not give a meaningful result.',
  })
  abTestWarnings: readonly AbTestWarningType[];
  @Field(() => Float, {
    nullable: true,
    description: 'p-value of the difference between the two best variants. Null without data.',
  })
  pValue: number | null;
  @Field({ description: 'Whether the p-value is below 0.05.' }) significant: boolean;
  @Field(() => Int, { description: 'Contacts who have not yet been sent the winner.' })
  remaining: number;
}

export function abResultsType(results: AbResults): AbResultsType {
  return results;
}
