/** A template's version history as the dashboard sees it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';

@ObjectType('TemplateVersionSummary', { description: 'A version without its contents.' })
export class TemplateVersionSummaryType {
  @Field(() => ID) id: string;
  @Field(() => ID) templateId: string;
  @Field(() => Int, { description: 'The version that it preserves.' }) version: number;
  @Field() name: string;
  @Field(() => String, { nullable: true }) changeSummary: string | null;
  @Field(() => String, { nullable: true }) templateLanguage: string | null;
  @Field({ description: 'A member’s id, or an API key.' }) createdBy: string;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('TemplateVersion')
export class TemplateVersionType extends TemplateVersionSummaryType {
  @Field() bodyHtml: string;
  @Field(() => JsonScalar, { nullable: true }) bodyAst: JsonObject | null;
  @Field(() => JsonScalar, { nullable: true }) documentJson: JsonObject | null;
  @Field(() => JsonScalar, {
    nullable: true,
    description: 'RFC 6902 patch to the bodyAst that replaced this one, where both exist.',
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

@ObjectType('TemplateDiffHunk', { description: 'A place where bodies differ; lines count from 1.' })
export class TemplateDiffHunkType {
  @Field(() => Int) oldStart: number;
  @Field(() => Int) oldLines: number;
  @Field(() => Int) newStart: number;
  @Field(() => Int) newLines: number;
  @Field({ description: 'Each line with a space, a minus or a plus before it.' }) text: string;
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
  @Field(() => TemplateTextChangeType, { nullable: true, description: 'Null where it is the same.' })
  name: TemplateTextChangeType | null;
  @Field(() => TemplateTextChangeType, { nullable: true, description: 'Null where it is the same.' })
  templateLanguage: TemplateTextChangeType | null;
  @Field(() => [TemplateDiffHunkType], { description: 'Of bodyHtml.' })
  hunks: readonly TemplateDiffHunkType[];
  @Field() astChanged: boolean;
  @Field(() => JsonScalar, {
    nullable: true,
    description: 'RFC 6902 patch between the two documents, where both exist.',
  })
  astPatch: readonly object[] | null;
}
