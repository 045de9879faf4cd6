/** Previews and validation, section 4.3, in REST and in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output, restOf } from '../../../platform/output/output-class.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import type { LatestEvent } from '../../events/domain/latest-event.js';
import type { PreviewContext } from '../application/preview-context.service.js';
import type { RenderedPreview } from '../application/template-preview.service.js';
import type { TemplateCheck } from '../domain/template-check.js';
import { TemplateFindingOutput } from './template.output.js';

const SUPPRESSED_REASON = {
  nullable: true,
  example: 'missing_required_field: Order ID',
  description: 'The required field that has no value. Null if the message is not suppressed.',
} as const;

@Output({
  rest: 'PreviewResponse',
  graphql: 'TemplatePreview',
  description: 'A rendered message. Empty if it is suppressed.',
})
export class PreviewOutput {
  @Out('String', { nullable: true, description: 'Null if there is no subject.' }) subject: string | null;
  @Out('String', { example: '<p>Hi Ada</p>' }) html: string;
  @Out('String', { example: 'Hi Ada' }) text: string;
  @Out('Boolean') suppressed: boolean;
  @Out('String', SUPPRESSED_REASON) suppressedReason: string | null;
}

@Output({
  rest: 'ValidationResponse',
  graphql: 'TemplateValidation',
  description: 'The result of validating content.',
})
export class ValidationOutput {
  @Out('Boolean', { description: 'Whether no issue has severity error.' }) valid: boolean;
  @Out([TemplateFindingOutput]) issues: readonly TemplateFindingOutput[];
  @Out('String', { nullable: true }) renderedSubject: string | null;
  @Out('String', { nullable: true }) renderedHtml: string | null;
  @Out('Boolean') suppressed: boolean;
  @Out('String', SUPPRESSED_REASON) suppressedReason: string | null;
}

@Output({ rest: 'FoundEventResponse' })
class FoundEventOutput {
  @Out('String', { example: 'order_placed' }) eventName: string;
  @Out('JSON', { example: { amount: 19.9 } }) attributes: JsonObject;
  @Out('DateTime') occurredAt: Date;
}

/** Contact and events have the field names of REST in both APIs, in which previews accept them. */
@Output({
  rest: 'PreviewContextResponse',
  graphql: 'TemplatePreviewContext',
  description: 'A contact and its events, in the form previewTemplate accepts.',
})
export class PreviewContextOutput {
  @Out(oneOf(['real', 'partial', 'none']), {
    description: 'Whether contact and event were found (real), one of them (partial), or neither (none).',
  })
  source: string;
  @Out('JSON', { nullable: true, api: { type: ContactOutput } }) contact: object | null;
  @Out('JSON', { nullable: true, api: { type: FoundEventOutput } }) triggerEvent: object | null;
  @Out('JSON', {
    example: { signed_up: { attributes: { plan: 'pro' }, occurred_at: '2026-03-02T09:00:00.000Z' } },
  })
  additionalEvents: object;
}

export function previewOutput(preview: RenderedPreview): PreviewOutput {
  return preview.kind === 'suppressed'
    ? { subject: null, html: '', text: '', suppressed: true, suppressedReason: preview.reason }
    : {
        subject: preview.subject,
        html: preview.html,
        text: preview.text,
        suppressed: false,
        suppressedReason: null,
      };
}

export function validationOutput(check: TemplateCheck): ValidationOutput {
  return {
    valid: check.valid,
    issues: check.issues,
    renderedSubject: check.subject,
    renderedHtml: check.html,
    suppressed: check.suppressedReason !== null,
    suppressedReason: check.suppressedReason,
  };
}

export function previewContextOutput(context: PreviewContext): PreviewContextOutput {
  const { source, contact, triggerEvent, additionalEvents } = context;
  return {
    source,
    contact: contact && restOf(ContactOutput, contact),
    triggerEvent: triggerEvent && restOf(FoundEventOutput, triggerEvent),
    additionalEvents: Object.fromEntries(additionalEvents.map((event) => [event.eventName, dataOf(event)])),
  };
}

function dataOf({ attributes, occurredAt }: LatestEvent): object {
  return { attributes, occurred_at: occurredAt.toISOString() };
}
