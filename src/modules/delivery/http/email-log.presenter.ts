/** A message in REST, with its description for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { EMAIL_LOG_STATUSES } from '../domain/email-log-transitions.js';
import type { EmailLog } from '../domain/email-log.js';
import { EMAIL_ORIGINS } from '../domain/email-origin.js';
import { BOUNCE_KINDS } from '../domain/engagement.js';
import { HOLDS } from '../domain/send-gates.js';
import { emailLogView } from '../domain/email-log-view.js';

const TEXT = { type: String, nullable: true } as const;
const ID = { ...TEXT, format: 'uuid' } as const;
const TIMESTAMP = { ...TEXT, format: 'date-time' } as const;

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
  @ApiProperty(TIMESTAMP) next_attempt_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
  @ApiProperty(TIMESTAMP) sent_at: string | null;
  @ApiProperty(TIMESTAMP) delivered_at: string | null;
  @ApiProperty(TIMESTAMP) opened_at: string | null;
  @ApiProperty(TIMESTAMP) clicked_at: string | null;
  @ApiProperty(TIMESTAMP) bounced_at: string | null;
  @ApiProperty({ ...TEXT, enum: BOUNCE_KINDS }) bounce_kind: string | null;
  @ApiProperty({ ...TEXT, example: '5.1.1' }) bounce_code: string | null;
  @ApiProperty(TEXT) bounce_detail: string | null;
  @ApiProperty(TIMESTAMP) complained_at: string | null;
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
  const view = emailLogView(log);
  return {
    id: view.id,
    status: view.status,
    origin: view.origin,
    origin_id: view.originId,
    flow_id: view.flowId,
    trip_id: view.tripId,
    step: view.step,
    campaign_id: view.campaignId,
    contact_id: view.contactId,
    template_slug: view.templateSlug,
    template_version: view.templateVersion,
    content_type: view.contentType,
    to_email: view.toEmail,
    from_email: view.fromEmail,
    subject: view.subject,
    message_id: view.messageId,
    transport: view.transport,
    attempts: view.attempts,
    error_code: view.errorCode,
    error_detail: view.errorDetail,
    suppressed_reason: view.suppressedReason,
    waits_for: view.waitsFor && { gate: view.waitsFor.gate, until: view.waitsFor.until.toISOString() },
    next_attempt_at: view.status === 'queued' ? view.nextAttemptAt.toISOString() : null,
    created_at: view.createdAt.toISOString(),
    updated_at: view.updatedAt.toISOString(),
    sent_at: iso(view.sentAt),
    delivered_at: iso(view.deliveredAt),
    opened_at: iso(view.openedAt),
    clicked_at: iso(view.clickedAt),
    bounced_at: iso(view.bouncedAt),
    bounce_kind: view.bounceKind,
    bounce_code: view.bounceCode,
    bounce_detail: view.bounceDetail,
    complained_at: iso(view.complainedAt),
    opens: view.opens,
    clicks: view.clicks,
    machine_opens: view.machineOpens,
    machine_clicks: view.machineClicks,
  };
}

function iso(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
