/** A version of a template in REST (section 2.7), and the classes that describe it in the OpenAPI document. */
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { TEMPLATE_LANGUAGES } from '../../../language/language.js';
import { MAX_SUMMARY_LENGTH } from '../domain/template-limits.js';
import type { ListedVersion, TemplateVersion } from '../domain/template-version.js';

const SUMMARY = {
  type: String,
  nullable: true,
  maxLength: MAX_SUMMARY_LENGTH,
  example: 'Before the new greeting',
} as const;

export class TemplateVersionResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) template_id: string;
  @ApiProperty({ type: 'integer', description: 'The template version saved in this snapshot.', example: 3 })
  version: number;
  @ApiProperty({ example: 'Welcome' }) name: string;
  @ApiProperty(SUMMARY) change_summary: string | null;
  @ApiProperty({ example: '<p>Hello</p>' }) body_html: string;
  @ApiProperty({ type: Object, nullable: true }) body_ast: object | null;
  @ApiProperty({ type: String, enum: TEMPLATE_LANGUAGES, nullable: true }) template_language: string | null;
  @ApiProperty({ type: Object, nullable: true }) document_json: object | null;

  @ApiProperty({
    type: [Object],
    nullable: true,
    description: 'RFC 6902 patch from this body_ast to the one that replaced it. Null unless both exist.',
  })
  ast_patches: readonly object[] | null;

  @ApiProperty({ description: 'A member ID or an API key ID.' }) created_by: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
}

/** A version as the list shows it. */
export class ListedTemplateVersionResponse extends OmitType(TemplateVersionResponse, ['body_html']) {}

export function presentListedVersion(version: ListedVersion): ListedTemplateVersionResponse {
  return {
    id: version.id,
    template_id: version.templateId,
    version: version.version,
    name: version.name,
    change_summary: version.changeSummary,
    body_ast: version.bodyAst,
    template_language: version.templateLanguage,
    document_json: version.documentJson,
    ast_patches: version.astPatches,
    created_by: version.createdBy,
    created_at: version.createdAt.toISOString(),
  };
}

export function presentVersion(version: TemplateVersion): TemplateVersionResponse {
  return { ...presentListedVersion(version), body_html: version.bodyHtml };
}
