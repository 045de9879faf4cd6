/** A template in REST (section 2.7) and GraphQL. In GraphQL the bodies have resolvers, since lists seldom need them. */
import { camelCase } from '../../../kernel/letter-case.js';
import type { JsonObject } from '../../../kernel/json.js';
import { TEMPLATE_LANGUAGES, VALIDATION_STATUSES } from '../../../language/language.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { documentMetadata, type Template } from '../domain/template.js';

@Output({
  rest: 'TemplateFindingResponse',
  graphql: 'TemplateFinding',
  description: 'A validation finding in a template.',
})
export class TemplateFindingOutput {
  @Out(oneOf(['error', 'warning']), { description: 'error or warning' }) severity: string;
  @Out(oneOf(['subject', 'body_html']), {
    description: 'The field of the template: its subject or its HTML body.',
    inGraphql: { value: camelCase },
  })
  field: string;
  @Out('String', { example: 'This expression has no closing brace.' }) message: string;
  @Out('String', { description: 'The expression as written.', example: "{the user's First Name" })
  blockText: string;
  @Out('Int', { example: 1 }) line: number;
  @Out('Int', { example: 7 }) column: number;
}

@Output({ rest: 'TemplateResponse', graphql: 'Template' })
export class TemplateOutput {
  @Out('ID') id: string;
  @Out('String', { example: 'Welcome' }) name: string;
  @Out('String', { example: 'welcome' }) slug: string;
  @Out('String', { nullable: true, example: 'Welcome aboard' }) subject: string | null;
  @Out('String', { only: 'rest', example: '<p>Hi {the user\'s First Name, or "there"}</p>' })
  bodyHtml?: string;
  @Out('JSON', { only: 'rest', nullable: true }) bodyAst?: JsonObject | null;
  @Out('String', { only: 'rest', description: 'Generated from body_html.' }) bodyText?: string;
  @Out('Int', {
    only: 'rest',
    nullable: true,
    description: 'The integer `schema_version` of body_ast. Null if it has none.',
  })
  astSchemaVersion?: number | null;
  @Out('String', {
    only: 'rest',
    nullable: true,
    description: 'The `renderer` of body_ast. Null if it has none.',
  })
  rendererUsed?: string | null;
  @Out('Boolean') isActive: boolean;
  @Out('String', { nullable: true, api: { enum: [...TEMPLATE_LANGUAGES] } }) templateLanguage: string | null;
  @Out('String', {
    only: 'graphql',
    nullable: true,
    description: 'Key of the topic of the template’s promotional mail. Null if it has no topic.',
  })
  topic: string | null;
  @Out('Int', { example: 1 }) version: number;
  @Out(oneOf(VALIDATION_STATUSES), { description: `One of: ${VALIDATION_STATUSES.join(', ')}.` })
  validationStatus: string;
  @Out([TemplateFindingOutput]) validationErrors: readonly TemplateFindingOutput[];
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
}

export const TemplateConnection = connection('Template', TemplateOutput);

/** The template with the metadata of its document. */
export function templateOutput(template: Template): TemplateOutput {
  const { schemaVersion, renderer } = documentMetadata(template.bodyAst);
  return { ...template, astSchemaVersion: schemaVersion, rendererUsed: renderer };
}
