/** Content with sample data as the dashboard sends it; read by the same reader as that of REST. */
import { Field, InputType } from '@nestjs/graphql';
import { Allow } from 'class-validator';
import { invalidFields } from '../../../kernel/domain-error.js';
import { TEMPLATE_LANGUAGES, type TemplateLanguage } from '../../../language/language.js';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import { readInline, type InlineContent } from '../domain/read-preview.js';

@InputType('InlineTemplateInput')
export class InlineTemplateInput {
  @Allow() @Field(() => String, { nullable: true }) subject?: string | null;
  @Allow() @Field(() => String, { nullable: true }) bodyHtml?: string | null;

  @Allow()
  @Field(() => String, { nullable: true, description: 'nlt, jinja2 or null, as the pin of a template.' })
  templateLanguage?: string | null;

  @Allow()
  @Field(() => JsonScalar, { nullable: true, description: 'Fields of a contact.' })
  contact?: unknown;

  @Allow()
  @Field(() => JsonScalar, { nullable: true, description: '`event_name` and `attributes`.' })
  triggerEvent?: unknown;

  @Allow()
  @Field(() => JsonScalar, { nullable: true, description: 'Events by name, each with `attributes`.' })
  additionalEvents?: unknown;
}

/** @throws DomainError as `readInline`, also for a language that does not exist. */
export function readInlineInput(input: InlineTemplateInput): {
  content: InlineContent;
  language: TemplateLanguage | null;
} {
  const { subject, bodyHtml, templateLanguage = null, contact, triggerEvent, additionalEvents } = input;
  const content = readInline({
    subject,
    body_html: bodyHtml,
    contact,
    trigger_event: triggerEvent,
    additional_events: additionalEvents,
  });
  const language = TEMPLATE_LANGUAGES.find((known) => known === templateLanguage) ?? null;
  if (language !== templateLanguage)
    throw invalidFields([
      { field: 'template_language', message: `must be ${TEMPLATE_LANGUAGES.join(', ')} or null` },
    ]);
  return { content, language };
}
