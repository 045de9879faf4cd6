/** A campaign in REST (sections 2.9 and 4.5), and the classes that describe it in the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { InspectWarningOutput } from '../../inspect/output/inspect-warning.output.js';
import type { CampaignList } from '../application/campaign.service.js';
import { AB_METRICS } from '../domain/ab-test.js';
import type { CampaignPage } from '../domain/campaign-filter.js';
import { AbWarningResponse } from './campaign-ab-tests.presenter.js';
import { CAMPAIGN_STATUSES } from '../domain/campaign-status.js';
import { PAUSED_REASONS, type Campaign } from '../domain/campaign.js';
import {
  writtenAbTest,
  writtenRecurrence,
  type WrittenAbTest,
  type WrittenRecurrence,
} from '../domain/written-campaign.js';

const text = (example: string) => ({ type: String, nullable: true, example }) as const;
const id = { type: String, format: 'uuid', nullable: true } as const;
const moment = { type: String, format: 'date-time', nullable: true } as const;
const count = { type: 'integer', nullable: true } as const;

export class AbVariantResponse {
  @ApiProperty({ example: 'A' }) name: string;
  @ApiProperty(text('Spring is here')) subject: string | null;
  @ApiProperty(id) template_id: string | null;
  @ApiProperty(text('Acme')) sender_name: string | null;
}

export class AbGoalResponse {
  @ApiProperty({ example: 'order_placed' }) event_name: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) event_filters: JsonObject;
  @ApiProperty({ type: 'integer', example: 24 }) window_hours: number;
}

export class AbTestResponse {
  @ApiProperty({ type: [AbVariantResponse] }) variants: readonly AbVariantResponse[];
  @ApiProperty({ type: 'integer', example: 20 }) test_percentage: number;
  @ApiProperty({ enum: AB_METRICS }) metric: string;
  @ApiProperty({ type: AbGoalResponse, nullable: true }) goal: AbGoalResponse | null;
  @ApiProperty({ type: 'integer', example: 4 }) duration_hours: number;
  @ApiProperty({ enum: ['auto', 'manual'] }) send_winner: string;
  @ApiProperty({ type: 'integer', example: 0 }) holdout_percentage: number;
}

export class RecurrenceResponse {
  @ApiProperty({ enum: ['daily', 'weekly', 'monthly'] }) frequency: string;
  @ApiProperty({ ...count, description: '0 (Monday) to 6 (Sunday).' }) day_of_week: number | null;
  @ApiProperty(count) day_of_month: number | null;
  @ApiProperty({ type: 'integer', example: 9 }) hour: number;
  @ApiProperty({ type: 'integer', example: 0 }) minute: number;
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty(moment) ends_at: string | null;
  @ApiProperty(count) max_instances: number | null;
}

/** A campaign; unset fields are null. */
export class CampaignResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Spring sale' }) name: string;
  @ApiProperty(text('Spring is here')) subject: string | null;
  @ApiProperty(id) template_id: string | null;
  @ApiProperty(id) segment_id: string | null;
  @ApiProperty(text('Acme')) sender_name: string | null;
  @ApiProperty(text('hello@acme.test')) sender_email: string | null;
  @ApiProperty(text('help@acme.test')) reply_to: string | null;
  @ApiProperty({ enum: CAMPAIGN_STATUSES }) status: string;
  @ApiProperty({ type: AbTestResponse, nullable: true }) ab_test: WrittenAbTest | null;
  @ApiProperty({ type: RecurrenceResponse, nullable: true }) recurrence: WrittenRecurrence | null;
  @ApiProperty(moment) scheduled_at: string | null;
  @ApiProperty({
    description: 'Whether each contact receives the campaign at the scheduled time in its time zone.',
  })
  local_time: boolean;
  @ApiProperty(count) max_per_hour: number | null;
  @ApiProperty({
    ...moment,
    description: 'When the next instance of a recurring campaign starts. Null if none is due.',
  })
  next_run_at: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...PAUSED_REASONS, null],
    description: 'Null if the campaign is not paused or was paused by a user.',
  })
  paused_reason: string | null;
  @ApiProperty(moment) started_at: string | null;
  @ApiProperty(moment) completed_at: string | null;
  @ApiProperty({
    ...count,
    description: 'Number of contacts in the segment when sending started. Null before that.',
  })
  audience_size: number | null;
  @ApiProperty({ description: 'ID of the member who created it.' }) created_by: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

/** A campaign that starts, now or later. */
export class BegunCampaignResponse extends CampaignResponse {
  @ApiPropertyOptional({
    type: [InspectWarningOutput],
    description:
      'Open critical findings of the campaign’s templates, at most 100. Omitted if there are none.',
  })
  warnings?: readonly object[];
  @ApiPropertyOptional({
    type: [AbWarningResponse],
    description: 'Reasons why the A/B test may not give a meaningful result. Omitted if there are none.',
  })
  ab_test_warnings?: readonly AbWarningResponse[];
}

export class CampaignCountsResponse {
  @ApiProperty({ type: 'integer' }) all: number;
  @ApiProperty({ type: 'integer' }) draft: number;
  @ApiProperty({ type: 'integer' }) scheduled: number;
  @ApiProperty({ type: 'integer' }) sending: number;
  @ApiProperty({ type: 'integer' }) sent: number;
  @ApiProperty({ type: 'integer' }) paused: number;
  @ApiProperty({ type: 'integer' }) resumed: number;
  @ApiProperty({ type: 'integer' }) cancelled: number;
  @ApiProperty({ type: 'integer' }) ab_testing: number;
  @ApiProperty({ type: 'integer' }) recurring: number;
  @ApiProperty({ type: 'integer' }) stopped: number;
}

export class CampaignListResponse {
  @ApiProperty({ type: [CampaignResponse] }) campaigns: readonly CampaignResponse[];
  @ApiProperty({ description: 'Number of campaigns in the environment by status. Filters do not apply.' })
  counts: CampaignCountsResponse;
  @ApiProperty({ type: 'integer' }) total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

export function presentCampaign(campaign: Campaign): CampaignResponse {
  return {
    id: campaign.id,
    name: campaign.name,
    subject: campaign.subject,
    template_id: campaign.templateId,
    segment_id: campaign.segmentId,
    sender_name: campaign.senderName,
    sender_email: campaign.senderEmail,
    reply_to: campaign.replyTo,
    status: campaign.status,
    ab_test: campaign.abTest && writtenAbTest(campaign.abTest),
    recurrence: campaign.recurrence && writtenRecurrence(campaign.recurrence),
    scheduled_at: toIso(campaign.scheduledAt),
    local_time: campaign.localTime,
    max_per_hour: campaign.maxPerHour,
    next_run_at: toIso(campaign.nextRunAt),
    paused_reason: campaign.pausedReason,
    started_at: toIso(campaign.startedAt),
    completed_at: toIso(campaign.completedAt),
    audience_size: campaign.audienceSize,
    created_by: campaign.createdBy,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
  };
}

export function presentCampaignList(
  { campaigns, counts, total }: CampaignList,
  { limit, offset }: CampaignPage,
): CampaignListResponse {
  return { campaigns: campaigns.map(presentCampaign), counts, total, limit, offset };
}

function toIso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
