/** A template in REST (section 2.7), and the classes that describe it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { snakeKeys } from '../../../kernel/letter-case.js';
import { TEMPLATE_LANGUAGES, VALIDATION_STATUSES } from '../../../language/language.js';
import { documentMetadata, type Template } from '../domain/template.js';

const EXAMPLE_HTML = '<p>Hi {the user\'s First Name, or "there"}</p>';

/** One finding of validation. */
export class TemplateFindingResponse {
  @ApiProperty({ enum: ['error', 'warning'] }) severity: string;
  @ApiProperty({ enum: ['subject', 'body_html'] }) field: string;
  @ApiProperty({ example: 'This expression has no closing brace.' }) message: string;
  @ApiProperty({ description: 'The expression as written.', example: "{the user's First Name" })
  block_text: string;
  @ApiProperty({ type: 'integer', example: 1 }) line: number;
  @ApiProperty({ type: 'integer', example: 7 }) column: number;
}

export class TemplateResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Welcome' }) name: string;
  @ApiProperty({ example: 'welcome' }) slug: string;
  @ApiProperty({ type: String, nullable: true, example: 'Welcome aboard' }) subject: string | null;
  @ApiProperty({ example: EXAMPLE_HTML }) body_html: string;
  @ApiProperty({ type: Object, nullable: true }) body_ast: object | null;
  @ApiProperty({ description: 'Generated from body_html.' }) body_text: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The integer `schema_version` of body_ast. Null if it has none.',
  })
  ast_schema_version: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `renderer` of body_ast. Null if it has none.',
  })
  renderer_used: string | null;

  @ApiProperty() is_active: boolean;
  @ApiProperty({ type: String, enum: TEMPLATE_LANGUAGES, nullable: true }) template_language: string | null;
  @ApiProperty({ type: 'integer', example: 1 }) version: number;
  @ApiProperty({ enum: VALIDATION_STATUSES }) validation_status: string;
  @ApiProperty({ type: [TemplateFindingResponse] }) validation_errors: readonly TemplateFindingResponse[];
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

export function presentTemplate(template: Template): TemplateResponse {
  const { schemaVersion, renderer } = documentMetadata(template.bodyAst);
  return {
    id: template.id,
    name: template.name,
    slug: template.slug,
    subject: template.subject,
    body_html: template.bodyHtml,
    body_ast: template.bodyAst,
    body_text: template.bodyText,
    ast_schema_version: schemaVersion,
    renderer_used: renderer,
    is_active: template.isActive,
    template_language: template.templateLanguage,
    version: template.version,
    validation_status: template.validationStatus,
    validation_errors: template.validationErrors.map(snakeKeys),
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  };
}
