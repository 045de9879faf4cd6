/** A template's version history in GraphQL. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';

@ObjectType('TemplateVersionSummary', { description: 'A version without its content.' })
export class TemplateVersionSummaryType {
  @Field(() => ID) id: string;
  @Field(() => ID) templateId: string;
  @Field(() => Int, { description: 'The template version saved in this snapshot.' }) version: number;
  @Field() name: string;
  @Field(() => String, { nullable: true }) changeSummary: string | null;
  @Field(() => String, { nullable: true }) templateLanguage: string | null;
  @Field({ description: 'A member ID or an API key ID.' }) createdBy: string;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('TemplateVersion')
export class TemplateVersionType extends TemplateVersionSummaryType {
  @Field() bodyHtml: string;
  @Field(() => JsonScalar, { nullable: true }) bodyAst: JsonObject | null;
  @Field(() => JsonScalar, { nullable: true }) documentJson: JsonObject | null;
  @Field(() => JsonScalar, {
    nullable: true,
    description: 'RFC 6902 patch from this bodyAst to the one that replaced it. Null unless both exist.',
  })
  astPatches: readonly object[] | null;
}

@ObjectType('TemplateVersionEdge')
export class TemplateVersionEdgeType extends edge<TemplateVersionSummaryType>(
  () => TemplateVersionSummaryType,
) {}

@ObjectType('TemplateVersionConnection')
export class TemplateVersionConnectionType extends connection(() => TemplateVersionEdgeType) {
  @Field(() => Int) totalCount: number;
}

@ObjectType('TemplateDiffHunk', {
  description: 'A section in which the bodies differ. Line numbers start at 1.',
})
export class TemplateDiffHunkType {
  @Field(() => Int) oldStart: number;
  @Field(() => Int) oldLines: number;
  @Field(() => Int) newStart: number;
  @Field(() => Int) newLines: number;
  @Field({ description: 'Lines prefixed with a space, a minus or a plus sign.' }) text: string;
}

@ObjectType('TemplateTextChange')
export class TemplateTextChangeType {
  @Field(() => String, { nullable: true }) from: string | null;
  @Field(() => String, { nullable: true }) to: string | null;
}

@ObjectType('TemplateVersionDiff')
export class TemplateVersionDiffType {
  @Field(() => Int) from: number;
  @Field(() => Int) to: number;
  @Field(() => TemplateTextChangeType, { nullable: true, description: 'Null if unchanged.' })
  name: TemplateTextChangeType | null;
  @Field(() => TemplateTextChangeType, { nullable: true, description: 'Null if unchanged.' })
  templateLanguage: TemplateTextChangeType | null;
  @Field(() => [TemplateDiffHunkType], { description: 'Differences in bodyHtml.' })
  hunks: readonly TemplateDiffHunkType[];
  @Field() astChanged: boolean;
  @Field(() => JsonScalar, {
    nullable: true,
    description: 'RFC 6902 patch between the two documents. Null unless both exist.',
  })
  astPatch: readonly object[] | null;
}
