/** The outcome of a campaign in REST (sections 2.9 and 4.5) and in GraphQL: statistics, instances and recipients. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { isUnmeasured, type Measured } from '../../metrics/domain/measured.js';
import { MeasuredEmailsOutput } from '../../metrics/output/measured.output.js';
import type { CampaignProgress, ListedInstance } from '../application/campaign-views.js';
import { ratesOf, splitMetrics, type MeasuredCampaignMetrics } from '../domain/campaign-analytics.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../domain/campaign-status.js';
import { RECIPIENT_STATUSES, type Recipient, type RecipientStatus } from '../domain/recipient.js';
import { RecipientStatusEnum } from '../input/campaign-dashboard.input.js';
import { CampaignStatusEnum } from '../input/campaign-list.input.js';

const MEASURED = {
  description: 'How many messages were measured. Open and click rates refer to measured messages only.',
} as const;
const IF_MEASURED = { nullable: true, only: 'graphql', description: 'Null if it was not measured.' } as const;
const RATE = { example: 42.31, description: 'Percentage.' } as const;
const MEASURED_RATE = {
  nullable: true,
  example: 42.31,
  description: 'Percentage of measured messages. If none was measured, null in GraphQL and 0 in REST.',
  inRest: { ifNull: 0 },
} as const;
const BOUNCE_RATE = { example: 42.31, description: 'Percentage of sent messages that bounced.' } as const;

@Output({
  graphql: 'CampaignNumbers',
  description:
    'Counts people, not opens. Rates are percentages of sent messages that did not bounce, and click-to-open of ' +
    'opened messages. Rates of opens and clicks cover measured messages only.',
})
export class CampaignNumbersOutput {
  @Out('Int') audience: number;
  @Out('Int') pending: number;
  @Out('Int') sent: number;
  @Out('Int') failed: number;
  @Out('Int') suppressed: number;
  @Out('Int') skipped: number;
  @Out('Int') cancelled: number;
  @Out('Int') unknown: number;
  @Out('Int', IF_MEASURED) delivered: number | null;
  @Out('Int', IF_MEASURED) opened: number | null;
  @Out('Int', IF_MEASURED) clicked: number | null;
  @Out('Int', { only: 'rest', inRest: { name: 'delivered' } }) deliveredCount: number;
  @Out('Int', { only: 'rest', inRest: { name: 'opened' } }) openedCount: number;
  @Out('Int', { only: 'rest', inRest: { name: 'clicked' } }) clickedCount: number;
  @Out('Int') bounced: number;
  @Out('Int') spamReports: number;
  @Out('Int') unsubscribed: number;
  @Out('Int', {
    description: 'Contacts whose message was opened only by a machine; not included in opened.',
  })
  machineOpened: number;
  @Out('Int') machineClicked: number;
  @Out(MeasuredEmailsOutput, MEASURED) measured: MeasuredEmailsOutput;
  @Out('Float', MEASURED_RATE) openRate: number | null;
  @Out('Float', MEASURED_RATE) clickRate: number | null;
  @Out('Float', MEASURED_RATE) clickToOpenRate: number | null;
  @Out('Float', BOUNCE_RATE) bounceRate: number;
  @Out('Float', RATE) spamRate: number;
  @Out('Float', RATE) unsubscribeRate: number;
}

@Output({ rest: 'CampaignAnalyticsResponse' })
export class CampaignAnalyticsOutput extends CampaignNumbersOutput {
  @Out('ID') campaignId: string;
}

export function campaignNumbers(all: MeasuredCampaignMetrics): CampaignNumbersOutput {
  const { numbers, measured } = splitMetrics(all);
  const { delivered, opened, clicked } = numbers;
  const ifMeasured = (value: number, of: Measured): number | null => (isUnmeasured(of) ? null : value);
  return {
    ...numbers,
    ...ratesOf(all),
    measured,
    ...{ deliveredCount: delivered, openedCount: opened, clickedCount: clicked },
    delivered: ifMeasured(delivered, measured.deliveries),
    opened: ifMeasured(opened, measured.opens),
    clicked: ifMeasured(clicked, measured.clicks),
  };
}

@Output({
  graphql: 'CampaignProgress',
  description: 'Progress of a sending. For a recurring campaign, of its latest instance.',
})
export class CampaignProgressOutput {
  @Out(oneOf(CAMPAIGN_STATUSES, CampaignStatusEnum)) status: CampaignStatus;
  @Out('String', { nullable: true }) pausedReason: string | null;
  @Out('Boolean', { description: 'Whether all recipients have been selected.' }) isAudienceTaken: boolean;
  @Out(CampaignNumbersOutput) numbers: CampaignNumbersOutput;
  @Out('Float', { nullable: true, description: 'Throughput, in messages per minute. Null if unknown.' })
  perMinute: number | null;
  @Out('Int', {
    nullable: true,
    description: 'Estimated time until the last message, in seconds. Null if it cannot be estimated.',
  })
  secondsLeft: number | null;
}

export function campaignProgressOutput({ numbers, ...progress }: CampaignProgress): CampaignProgressOutput {
  return { ...progress, numbers: campaignNumbers(numbers) };
}

@Output({
  rest: 'CampaignInstanceResponse',
  graphql: 'CampaignInstance',
  description: 'One sending of a campaign.',
})
export class CampaignInstanceOutput {
  @Out('ID') id: string;
  @Out('ID') campaignId: string;
  @Out('Int', { example: 1, description: 'Sequence number, starting at 1.' }) number: number;
  @Out(oneOf(CAMPAIGN_STATUSES, CampaignStatusEnum)) status: CampaignStatus;
  @Out('DateTime', { nullable: true }) scheduledAt: Date | null;
  @Out('DateTime') startedAt: Date;
  @Out('DateTime', { nullable: true }) completedAt: Date | null;
  @Out(CampaignNumbersOutput, { only: 'graphql' }) numbers: CampaignNumbersOutput;
  @Out('Int', { only: 'rest' }) audience: number;
  @Out('Int', { only: 'rest' }) sent: number;
  @Out('Int', { only: 'rest' }) failed: number;
  @Out('Int', { only: 'rest' }) suppressed: number;
  @Out('Int', { only: 'rest' }) skipped: number;
  @Out('Int', { only: 'rest' }) opened: number;
  @Out('Int', { only: 'rest' }) clicked: number;
  @Out('Int', { only: 'rest' }) bounced: number;
}

export const CampaignInstanceConnection = connection('CampaignInstance', CampaignInstanceOutput, {
  counted: true,
});

/** A page of instances, newest first. */
@Output({ rest: 'InstanceListResponse' })
export class InstanceListOutput extends restPage(
  'InstanceListResponse',
  'instances',
  CampaignInstanceOutput,
) {}

/** One instance of a campaign, with its rates. */
@Output({ rest: 'RatedInstanceResponse' })
export class RatedInstanceOutput extends CampaignInstanceOutput {
  @Out('Float', MEASURED_RATE) openRate: number | null;
  @Out('Float', MEASURED_RATE) clickRate: number | null;
  @Out('Float', MEASURED_RATE) clickToOpenRate: number | null;
  @Out('Float', BOUNCE_RATE) bounceRate: number;
  @Out('Float', RATE) spamRate: number;
  @Out('Float', RATE) unsubscribeRate: number;
  @Out(MeasuredEmailsOutput, MEASURED) measured: MeasuredEmailsOutput;
}

export function instanceOutput({ instance, numbers: metrics }: ListedInstance): RatedInstanceOutput {
  const { numbers: counts, measured } = splitMetrics(metrics);
  return { ...instance, ...counts, ...ratesOf(metrics), measured, numbers: campaignNumbers(metrics) };
}

@Output({
  rest: 'RecipientResponse',
  graphql: 'CampaignRecipient',
  description: 'A recipient of a campaign and the outcome of its message.',
})
export class CampaignRecipientOutput {
  @Out('ID') contactId: string;
  @Out('String', { nullable: true }) externalId: string | null;
  @Out('String', { nullable: true }) email: string | null;
  @Out(oneOf(RECIPIENT_STATUSES, RecipientStatusEnum)) status: RecipientStatus;
  @Out('String', {
    nullable: true,
    example: 'unsubscribed',
    description: 'Why the contact received no message. Null if it did.',
  })
  reason: string | null;
  @Out('String', { nullable: true }) variant: string | null;
  @Out('ID', { nullable: true }) emailLogId: string | null;
  @Out('DateTime', { nullable: true }) sentAt: Date | null;
  @Out('DateTime', { nullable: true }) deliveredAt: Date | null;
  @Out('DateTime', { nullable: true }) openedAt: Date | null;
  @Out('DateTime', { nullable: true }) clickedAt: Date | null;
  @Out('DateTime', { nullable: true }) bouncedAt: Date | null;
}

export const CampaignRecipientConnection = connection('CampaignRecipient', CampaignRecipientOutput, {
  counted: true,
});

@Output({ rest: 'RecipientListResponse' })
export class RecipientListOutput extends restPage(
  'RecipientListResponse',
  'recipients',
  CampaignRecipientOutput,
) {}

/** @param withAddresses whether the caller may read contacts; otherwise addresses are masked. */
export function recipientOutput(recipient: Recipient, withAddresses: boolean): CampaignRecipientOutput {
  if (withAddresses) return recipient;
  const { email, externalId } = recipient;
  return {
    ...recipient,
    email: email === null ? null : maskEmails(email),
    externalId: externalId === null ? null : maskEmails(externalId),
  };
}
