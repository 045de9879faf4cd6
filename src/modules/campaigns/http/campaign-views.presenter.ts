/** Recipients, instances and statistics in REST, and the classes that describe them in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { MeasuredEmailsOutput } from '../../metrics/output/measured.output.js';
import type { ListedInstance } from '../application/campaign-views.js';
import { ratesOf, splitMetrics, type MeasuredCampaignMetrics } from '../domain/campaign-analytics.js';
import { CAMPAIGN_STATUSES } from '../domain/campaign-status.js';
import { RECIPIENT_STATUSES, type Recipient } from '../domain/recipient.js';

const count = { type: 'integer' } as const;
const rate = { type: Number, example: 42.31, description: 'Percentage.' } as const;
const moment = { type: String, format: 'date-time', nullable: true } as const;
const text = { type: String, nullable: true } as const;

class RatesResponse {
  @ApiProperty({
    type: MeasuredEmailsOutput,
    description: 'How many messages were measured. Open and click rates refer to measured messages only.',
  })
  measured: MeasuredEmailsOutput;
  @ApiProperty(rate) open_rate: number;
  @ApiProperty(rate) click_rate: number;
  @ApiProperty(rate) click_to_open_rate: number;
  @ApiProperty(rate) bounce_rate: number;
  @ApiProperty(rate) spam_rate: number;
  @ApiProperty(rate) unsubscribe_rate: number;
}

/** Counts people, not opens. Rates are relative to sent messages that did not bounce. */
export class CampaignAnalyticsResponse extends RatesResponse {
  @ApiProperty({ format: 'uuid' }) campaign_id: string;
  @ApiProperty(count) audience: number;
  @ApiProperty(count) pending: number;
  @ApiProperty(count) sent: number;
  @ApiProperty(count) failed: number;
  @ApiProperty(count) suppressed: number;
  @ApiProperty(count) skipped: number;
  @ApiProperty(count) cancelled: number;
  @ApiProperty(count) unknown: number;
  @ApiProperty(count) delivered: number;
  @ApiProperty(count) opened: number;
  @ApiProperty(count) clicked: number;
  @ApiProperty(count) bounced: number;
  @ApiProperty(count) spam_reports: number;
  @ApiProperty(count) unsubscribed: number;
  @ApiProperty({
    ...count,
    description: 'Contacts whose message was opened only by a machine; not included in opened.',
  })
  machine_opened: number;
  @ApiProperty(count) machine_clicked: number;
}

export class RecipientResponse {
  @ApiProperty({ format: 'uuid' }) contact_id: string;
  @ApiProperty(text) external_id: string | null;
  @ApiProperty(text) email: string | null;
  @ApiProperty({ enum: RECIPIENT_STATUSES }) status: string;
  @ApiProperty({ ...text, example: 'unsubscribed' }) reason: string | null;
  @ApiProperty(text) variant: string | null;
  @ApiProperty({ ...text, format: 'uuid' }) email_log_id: string | null;
  @ApiProperty(moment) sent_at: string | null;
  @ApiProperty(moment) delivered_at: string | null;
  @ApiProperty(moment) opened_at: string | null;
  @ApiProperty(moment) clicked_at: string | null;
  @ApiProperty(moment) bounced_at: string | null;
}

export class RecipientListResponse {
  @ApiProperty({ type: [RecipientResponse] }) recipients: readonly RecipientResponse[];
  @ApiProperty(count) total: number;
  @ApiProperty(count) limit: number;
  @ApiProperty(count) offset: number;
}

/** One instance of a campaign. */
export class CampaignInstanceResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) campaign_id: string;
  @ApiProperty({ ...count, example: 1 }) number: number;
  @ApiProperty({ enum: CAMPAIGN_STATUSES }) status: string;
  @ApiProperty(moment) scheduled_at: string | null;
  @ApiProperty({ format: 'date-time' }) started_at: string;
  @ApiProperty(moment) completed_at: string | null;
  @ApiProperty(count) audience: number;
  @ApiProperty(count) sent: number;
  @ApiProperty(count) failed: number;
  @ApiProperty(count) suppressed: number;
  @ApiProperty(count) skipped: number;
  @ApiProperty(count) opened: number;
  @ApiProperty(count) clicked: number;
  @ApiProperty(count) bounced: number;
}

/** One instance of a campaign, with its rates. */
export class RatedInstanceResponse extends CampaignInstanceResponse implements RatesResponse {
  @ApiProperty(rate) open_rate: number;
  @ApiProperty(rate) click_rate: number;
  @ApiProperty(rate) click_to_open_rate: number;
  @ApiProperty(rate) bounce_rate: number;
  @ApiProperty(rate) spam_rate: number;
  @ApiProperty(rate) unsubscribe_rate: number;
  @ApiProperty({ type: MeasuredEmailsOutput }) measured: MeasuredEmailsOutput;
}

/** A page of instances, newest first. */
export class InstanceListResponse {
  @ApiProperty({ type: [CampaignInstanceResponse] }) instances: readonly CampaignInstanceResponse[];
  @ApiProperty(count) total: number;
  @ApiProperty(count) limit: number;
  @ApiProperty(count) offset: number;
}

export function presentAnalytics(
  campaignId: string,
  metrics: MeasuredCampaignMetrics,
): CampaignAnalyticsResponse {
  const { spamReports, machineOpened, machineClicked, ...rest } = splitMetrics(metrics).numbers;
  return {
    campaign_id: campaignId,
    ...rest,
    spam_reports: spamReports,
    machine_opened: machineOpened,
    machine_clicked: machineClicked,
    ...presentRates(metrics),
  };
}

export function presentRecipient(recipient: Recipient): RecipientResponse {
  return {
    contact_id: recipient.contactId,
    external_id: recipient.externalId,
    email: recipient.email,
    status: recipient.status,
    reason: recipient.reason,
    variant: recipient.variant,
    email_log_id: recipient.emailLogId,
    sent_at: toIso(recipient.sentAt),
    delivered_at: toIso(recipient.deliveredAt),
    opened_at: toIso(recipient.openedAt),
    clicked_at: toIso(recipient.clickedAt),
    bounced_at: toIso(recipient.bouncedAt),
  };
}

export function presentInstance({ instance, numbers }: ListedInstance): CampaignInstanceResponse {
  return {
    id: instance.id,
    campaign_id: instance.campaignId,
    number: instance.number,
    status: instance.status,
    scheduled_at: toIso(instance.scheduledAt),
    started_at: instance.startedAt.toISOString(),
    completed_at: toIso(instance.completedAt),
    audience: numbers.audience,
    sent: numbers.sent,
    failed: numbers.failed,
    suppressed: numbers.suppressed,
    skipped: numbers.skipped,
    opened: numbers.opened,
    clicked: numbers.clicked,
    bounced: numbers.bounced,
  };
}

export function presentRatedInstance(listed: ListedInstance): RatedInstanceResponse {
  return { ...presentInstance(listed), ...presentRates(listed.numbers) };
}

/** A rate without measured messages is 0 here; `measured` shows that. */
function presentRates(metrics: MeasuredCampaignMetrics): RatesResponse {
  const rates = ratesOf(metrics);
  return {
    measured: splitMetrics(metrics).measured,
    open_rate: rates.openRate ?? 0,
    click_rate: rates.clickRate ?? 0,
    click_to_open_rate: rates.clickToOpenRate ?? 0,
    bounce_rate: rates.bounceRate,
    spam_rate: rates.spamRate,
    unsubscribe_rate: rates.unsubscribeRate,
  };
}

function toIso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
