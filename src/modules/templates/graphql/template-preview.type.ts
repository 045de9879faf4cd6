/** Previews and validation in GraphQL. */
import { Field, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { internalSpelling, snakeKeys } from '../../../kernel/letter-case.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { LatestEvent } from '../../events/domain/latest-event.js';
import type { PreviewContext } from '../application/preview-context.service.js';
import type { RenderedPreview } from '../application/template-preview.service.js';
import { spelledField } from '../domain/spelled-findings.js';
import type { TemplateCheck } from '../domain/template-check.js';
import { TemplateFindingType } from './template.type.js';

@ObjectType('TemplatePreview', { description: 'A rendered message. Empty if it is suppressed.' })
export class TemplatePreviewType {
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field() html: string;
  @Field() text: string;
  @Field() suppressed: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'The required field that has no value. Null if the message is not suppressed.',
  })
  suppressedReason: string | null;
}

@ObjectType('TemplateValidation', { description: 'The result of validating content.' })
export class TemplateValidationType {
  @Field() valid: boolean;
  @Field(() => [TemplateFindingType]) issues: TemplateFindingType[];
  @Field(() => String, { nullable: true }) renderedSubject: string | null;
  @Field(() => String, { nullable: true }) renderedHtml: string | null;
  @Field() suppressed: boolean;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
}

@ObjectType('TemplatePreviewContext', {
  description: 'A contact and its events, in the form previewTemplate accepts.',
})
export class TemplatePreviewContextType {
  @Field({ description: 'real, partial or none' }) source: string;
  @Field(() => JsonScalar, { nullable: true }) contact: JsonObject | null;
  @Field(() => JsonScalar, { nullable: true }) triggerEvent: JsonObject | null;
  @Field(() => JsonScalar) additionalEvents: JsonObject;
}

export function previewTypeOf(preview: RenderedPreview): TemplatePreviewType {
  return preview.kind === 'suppressed'
    ? { ...EMPTY_PREVIEW, suppressed: true, suppressedReason: preview.reason }
    : {
        subject: preview.subject,
        html: preview.html,
        text: preview.text,
        suppressed: false,
        suppressedReason: null,
      };
}

const EMPTY_PREVIEW = { subject: null, html: '', text: '' } as const;

export function validationTypeOf(check: TemplateCheck): TemplateValidationType {
  return {
    valid: check.valid,
    issues: check.issues.map((finding) => spelledField(finding, internalSpelling)),
    renderedSubject: check.subject,
    renderedHtml: check.html,
    suppressed: check.suppressedReason !== null,
    suppressedReason: check.suppressedReason,
  };
}

export function previewContextTypeOf(context: PreviewContext): TemplatePreviewContextType {
  const { source, contact, triggerEvent, additionalEvents } = context;
  return {
    source,
    contact: contact && snakeKeys(contact),
    triggerEvent: triggerEvent && { event_name: triggerEvent.eventName, ...dataOf(triggerEvent) },
    additionalEvents: Object.fromEntries(additionalEvents.map((event) => [event.eventName, dataOf(event)])),
  };
}

function dataOf({ attributes, occurredAt }: LatestEvent): JsonObject {
  return { attributes, occurred_at: occurredAt };
}
