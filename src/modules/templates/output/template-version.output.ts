/** A version of a template in REST (section 2.7) and in GraphQL. Lists omit more than a version by itself. */
import type { JsonObject } from '../../../kernel/json.js';
import { TEMPLATE_LANGUAGES } from '../../../language/language.js';
import { Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { MAX_SUMMARY_LENGTH } from '../domain/template-limits.js';

@Output({ graphql: 'TemplateVersionSummary', description: 'A version without its content.' })
export class TemplateVersionSummaryOutput {
  @Out('ID') id: string;
  @Out('ID') templateId: string;
  @Out('Int', { example: 3, description: 'The template version saved in this snapshot.' }) version: number;
  @Out('String', { example: 'Welcome' }) name: string;
  @Out('String', {
    nullable: true,
    example: 'Before the new greeting',
    api: { maxLength: MAX_SUMMARY_LENGTH },
  })
  changeSummary: string | null;
  @Out('String', { nullable: true, api: { enum: [...TEMPLATE_LANGUAGES] } }) templateLanguage: string | null;
  @Out('String', { description: 'A member ID or an API key ID.' }) createdBy: string;
  @Out('DateTime') createdAt: Date;
}

/** A version as the list of REST shows it. */
@Output({ rest: 'ListedTemplateVersionResponse' })
export class ListedTemplateVersionOutput extends TemplateVersionSummaryOutput {
  @Out('JSON', { nullable: true }) bodyAst: JsonObject | null;
  @Out('JSON', { nullable: true }) documentJson: JsonObject | null;
  @Out('JSON', {
    nullable: true,
    description: 'RFC 6902 patch from this document to the one that replaced it. Null unless both exist.',
    api: { type: 'array', items: { type: 'object' } },
  })
  astPatches: readonly object[] | null;
}

@Output({ rest: 'TemplateVersionResponse', graphql: 'TemplateVersion' })
export class TemplateVersionOutput extends ListedTemplateVersionOutput {
  @Out('String', { example: '<p>Hello</p>' }) bodyHtml: string;
}

export const TemplateVersionConnection = connection('TemplateVersion', TemplateVersionSummaryOutput, {
  counted: true,
});

@Output({
  graphql: 'TemplateDiffHunk',
  description: 'A section in which the bodies differ. Line numbers start at 1.',
})
class TemplateDiffHunkOutput {
  @Out('Int') oldStart: number;
  @Out('Int') oldLines: number;
  @Out('Int') newStart: number;
  @Out('Int') newLines: number;
  @Out('String', { description: 'Lines prefixed with a space, a minus or a plus sign.' }) text: string;
}

@Output({ graphql: 'TemplateTextChange' })
class TemplateTextChangeOutput {
  @Out('String', { nullable: true }) from: string | null;
  @Out('String', { nullable: true }) to: string | null;
}

@Output({ graphql: 'TemplateVersionDiff' })
export class TemplateVersionDiffOutput {
  @Out('Int') from: number;
  @Out('Int') to: number;
  @Out(TemplateTextChangeOutput, { nullable: true, description: 'Null if unchanged.' })
  name: TemplateTextChangeOutput | null;
  @Out(TemplateTextChangeOutput, { nullable: true, description: 'Null if unchanged.' })
  templateLanguage: TemplateTextChangeOutput | null;
  @Out([TemplateDiffHunkOutput], { description: 'Differences in bodyHtml.' })
  hunks: readonly TemplateDiffHunkOutput[];
  @Out('Boolean') astChanged: boolean;
  @Out('JSON', {
    nullable: true,
    description: 'RFC 6902 patch between the two documents. Null unless both exist.',
  })
  astPatch: readonly object[] | null;
}
