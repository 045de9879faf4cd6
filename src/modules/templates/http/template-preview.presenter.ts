/** Previews and validation in REST, section 4.3, and the classes that describe them in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { snakeKeys } from '../../../kernel/letter-case.js';
import { restOf } from '../../../platform/output/output-class.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import type { LatestEvent } from '../../events/domain/latest-event.js';
import type { PreviewContext } from '../application/preview-context.service.js';
import type { RenderedPreview } from '../application/template-preview.service.js';
import type { TemplateCheck } from '../domain/template-check.js';
import { TemplateFindingResponse } from './template.presenter.js';

const group = (example: object): { type: 'object'; additionalProperties: true; example: object } => ({
  type: 'object',
  additionalProperties: true,
  example,
});

const SUPPRESSED_REASON = {
  type: String,
  nullable: true,
  example: 'missing_required_field: Order ID',
  description: 'The required field that has no value. Null if the message is not suppressed.',
} as const;

/** A rendered message; empty if it is suppressed. */
export class PreviewResponse {
  @ApiProperty({ type: String, nullable: true, description: 'Null if there is no subject.' })
  subject: string | null;
  @ApiProperty({ example: '<p>Hi Ada</p>' }) html: string;
  @ApiProperty({ example: 'Hi Ada' }) text: string;
  @ApiProperty() suppressed: boolean;
  @ApiProperty(SUPPRESSED_REASON) suppressed_reason: string | null;
}

/** The validation result of a content. */
export class ValidationResponse {
  @ApiProperty({ description: 'Whether no issue has severity error.' }) valid: boolean;
  @ApiProperty({ type: [TemplateFindingResponse] }) issues: readonly TemplateFindingResponse[];
  @ApiProperty({ type: String, nullable: true }) rendered_subject: string | null;
  @ApiProperty({ type: String, nullable: true }) rendered_html: string | null;
  @ApiProperty() suppressed: boolean;
  @ApiProperty(SUPPRESSED_REASON) suppressed_reason: string | null;
}

class FoundEventResponse {
  @ApiProperty({ example: 'order_placed' }) event_name: string;
  @ApiProperty(group({ amount: 19.9 })) attributes: JsonObject;
  @ApiProperty({ format: 'date-time' }) occurred_at: string;
}

/** A contact and its events to preview with. */
export class PreviewContextResponse {
  @ApiProperty({
    enum: ['real', 'partial', 'none'],
    description: 'Whether contact and event were found (real), one of them (partial), or neither (none).',
  })
  source: string;
  @ApiProperty({ type: ContactOutput, nullable: true }) contact: object | null;
  @ApiProperty({ type: FoundEventResponse, nullable: true }) trigger_event: FoundEventResponse | null;
  @ApiProperty(group({ signed_up: { attributes: { plan: 'pro' }, occurred_at: '2026-03-02T09:00:00.000Z' } }))
  additional_events: Record<string, Omit<FoundEventResponse, 'event_name'>>;
}

export function presentPreview(preview: RenderedPreview): PreviewResponse {
  return preview.kind === 'suppressed'
    ? { subject: null, html: '', text: '', suppressed: true, suppressed_reason: preview.reason }
    : {
        subject: preview.subject,
        html: preview.html,
        text: preview.text,
        suppressed: false,
        suppressed_reason: null,
      };
}

export function presentCheck(check: TemplateCheck): ValidationResponse {
  return {
    valid: check.valid,
    issues: check.issues.map(snakeKeys),
    rendered_subject: check.subject,
    rendered_html: check.html,
    suppressed: check.suppressedReason !== null,
    suppressed_reason: check.suppressedReason,
  };
}

export function presentPreviewContext(context: PreviewContext): PreviewContextResponse {
  const { source, contact, triggerEvent, additionalEvents } = context;
  return {
    source,
    contact: contact && restOf(ContactOutput, contact),
    trigger_event: triggerEvent && {
      event_name: triggerEvent.eventName,
      ...dataOf(triggerEvent),
    },
    additional_events: Object.fromEntries(additionalEvents.map((event) => [event.eventName, dataOf(event)])),
  };
}

function dataOf({ attributes, occurredAt }: LatestEvent): Omit<FoundEventResponse, 'event_name'> {
  return { attributes, occurred_at: occurredAt.toISOString() };
}
