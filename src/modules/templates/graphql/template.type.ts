/** A template in GraphQL. Its bodies have their own resolvers, since lists seldom need them. */
import { connection, edge } from '../../../platform/graphql/connection.js';
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { internalSpelling } from '../../../kernel/letter-case.js';
import { VALIDATION_STATUSES } from '../../../language/language.js';
import { spelledField } from '../domain/spelled-findings.js';
import type { TemplateSummary } from '../domain/template.js';

@ObjectType('TemplateFinding', { description: 'A validation finding in a template.' })
export class TemplateFindingType {
  @Field({ description: 'error or warning' }) severity: string;
  @Field({ description: 'subject or bodyHtml' }) field: string;
  @Field() message: string;
  @Field({ description: 'The expression as written.' }) blockText: string;
  @Field(() => Int) line: number;
  @Field(() => Int) column: number;
}

@ObjectType('Template')
export class TemplateType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field() slug: string;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field(() => String, { nullable: true }) templateLanguage: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Key of the topic of the template’s promotional mail. Null if it has no topic.',
  })
  topic: string | null;
  @Field() isActive: boolean;
  @Field(() => Int) version: number;
  @Field({ description: `One of: ${VALIDATION_STATUSES.join(', ')}.` }) validationStatus: string;
  @Field(() => [TemplateFindingType]) validationErrors: TemplateFindingType[];
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}

@ObjectType('TemplateEdge')
export class TemplateEdgeType extends edge<TemplateType>(() => TemplateType) {}

@ObjectType('TemplateConnection')
export class TemplateConnectionType extends connection(() => TemplateEdgeType) {}

/** Converts a template or its summary; bodies in the given value stay in the result. */
export function templateTypeOf(template: TemplateSummary): TemplateType {
  return {
    ...template,
    validationErrors: template.validationErrors.map((finding) => spelledField(finding, internalSpelling)),
  };
}
