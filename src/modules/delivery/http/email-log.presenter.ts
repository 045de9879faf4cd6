/** A message in REST, with its description for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { EMAIL_LOG_STATUSES } from '../domain/email-log-transitions.js';
import type { EmailLog } from '../domain/email-log.js';
import { EMAIL_ORIGINS } from '../domain/email-origin.js';
import { BOUNCE_KINDS } from '../domain/engagement.js';
import { HOLDS } from '../domain/send-gates.js';
import { shownEmailLog } from '../domain/shown-email-log.js';

const TEXT = { type: String, nullable: true } as const;
const ID = { ...TEXT, format: 'uuid' } as const;
const MOMENT = { ...TEXT, format: 'date-time' } as const;

class EmailWaitResponse {
  @ApiProperty({ enum: HOLDS }) gate: string;
  @ApiProperty({ format: 'date-time', description: 'The earliest time of the next check.' })
  until: string;
}

export class EmailLogResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: EMAIL_LOG_STATUSES }) status: string;
  @ApiProperty({ enum: EMAIL_ORIGINS, description: 'What created the message.' }) origin: string;
  @ApiProperty({
    format: 'uuid',
    description: 'ID of the trip, campaign instance, request, message or record.',
  })
  origin_id: string;
  @ApiProperty(ID) flow_id: string | null;
  @ApiProperty(ID) trip_id: string | null;
  @ApiProperty({ type: Number, nullable: true, description: 'ID of the flow step.' }) step: number | null;
  @ApiProperty(ID) campaign_id: string | null;
  @ApiProperty({ format: 'uuid' }) contact_id: string;
  @ApiProperty({ example: 'receipt' }) template_slug: string;
  @ApiProperty({ type: Number, nullable: true }) template_version: number | null;
  @ApiProperty({ enum: CONTENT_TYPES }) content_type: string;
  @ApiProperty({ ...TEXT, format: 'email' }) to_email: string | null;
  @ApiProperty({ ...TEXT, format: 'email' }) from_email: string | null;
  @ApiProperty(TEXT) subject: string | null;
  @ApiProperty() message_id: string;
  @ApiProperty({ ...TEXT, description: 'The transport used for the last attempt.' }) transport: string | null;
  @ApiProperty() attempts: number;
  @ApiProperty(TEXT) error_code: string | null;
  @ApiProperty({ ...TEXT, description: 'The server’s response, or the error before one was received.' })
  error_detail: string | null;
  @ApiProperty({ ...TEXT, example: 'unsubscribed' }) suppressed_reason: string | null;
  @ApiProperty({ type: EmailWaitResponse, nullable: true, description: 'What holds back a queued message.' })
  waits_for: EmailWaitResponse | null;
  @ApiProperty(MOMENT) next_attempt_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
  @ApiProperty(MOMENT) sent_at: string | null;
  @ApiProperty(MOMENT) delivered_at: string | null;
  @ApiProperty(MOMENT) opened_at: string | null;
  @ApiProperty(MOMENT) clicked_at: string | null;
  @ApiProperty(MOMENT) bounced_at: string | null;
  @ApiProperty({ ...TEXT, enum: BOUNCE_KINDS }) bounce_kind: string | null;
  @ApiProperty({ ...TEXT, example: '5.1.1' }) bounce_code: string | null;
  @ApiProperty(TEXT) bounce_detail: string | null;
  @ApiProperty(MOMENT) complained_at: string | null;
  @ApiProperty({ description: 'By people.' }) opens: number;
  @ApiProperty({ description: 'By people.' }) clicks: number;
  @ApiProperty({ description: 'By privacy proxies and scanners.' }) machine_opens: number;
  @ApiProperty({ description: 'By scanners.' }) machine_clicks: number;
}

export class EmailLogListResponse {
  @ApiProperty({ type: [EmailLogResponse] }) email_logs: EmailLogResponse[];
  @ApiProperty({ example: 1, description: 'Counted up to 100,000.' }) total: number;
  @ApiProperty({ example: 50 }) limit: number;
  @ApiProperty({ example: 0 }) offset: number;
}

export function presentEmailLog(log: EmailLog): EmailLogResponse {
  const shown = shownEmailLog(log);
  return {
    id: shown.id,
    status: shown.status,
    origin: shown.origin,
    origin_id: shown.originId,
    flow_id: shown.flowId,
    trip_id: shown.tripId,
    step: shown.step,
    campaign_id: shown.campaignId,
    contact_id: shown.contactId,
    template_slug: shown.templateSlug,
    template_version: shown.templateVersion,
    content_type: shown.contentType,
    to_email: shown.toEmail,
    from_email: shown.fromEmail,
    subject: shown.subject,
    message_id: shown.messageId,
    transport: shown.transport,
    attempts: shown.attempts,
    error_code: shown.errorCode,
    error_detail: shown.errorDetail,
    suppressed_reason: shown.suppressedReason,
    waits_for: shown.waitsFor && { gate: shown.waitsFor.gate, until: shown.waitsFor.until.toISOString() },
    next_attempt_at: shown.status === 'queued' ? shown.nextAttemptAt.toISOString() : null,
    created_at: shown.createdAt.toISOString(),
    updated_at: shown.updatedAt.toISOString(),
    sent_at: iso(shown.sentAt),
    delivered_at: iso(shown.deliveredAt),
    opened_at: iso(shown.openedAt),
    clicked_at: iso(shown.clickedAt),
    bounced_at: iso(shown.bouncedAt),
    bounce_kind: shown.bounceKind,
    bounce_code: shown.bounceCode,
    bounce_detail: shown.bounceDetail,
    complained_at: iso(shown.complainedAt),
    opens: shown.opens,
    clicks: shown.clicks,
    machine_opens: shown.machineOpens,
    machine_clicks: shown.machineClicks,
  };
}

function iso(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
