/** What the dashboard sends about templates; the fields are read by the same readers as those of REST. */
import { Field, InputType, Int } from '@nestjs/graphql';
import { Allow } from 'class-validator';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import { readRestore, readTemplate, readTemplateUpdate, readVersionNote } from '../domain/read-template.js';
import type { ChangeNote, VersionNote } from '../domain/template-version.js';
import type { NewTemplate, TemplateUpdate } from '../domain/template.js';

@InputType('CreateTemplateInput')
export class CreateTemplateInput {
  @Allow() @Field() name: string;
  @Allow() @Field({ description: 'Lowercase letters, digits and hyphens; unique.' }) slug: string;
  @Allow() @Field() bodyHtml: string;
  @Allow() @Field(() => String, { nullable: true }) subject?: string | null;
  @Allow()
  @Field(() => JsonScalar, { nullable: true, description: 'Block document of the visual editor.' })
  bodyAst?: unknown;
  @Allow() @Field({ nullable: true, description: 'True by default.' }) isActive?: boolean;
  @Allow()
  @Field(() => String, { nullable: true, description: 'nlt or jinja2' })
  templateLanguage?: string | null;
}

@InputType('UpdateTemplateInput', {
  description: 'What is left out stays; a null clears subject, bodyAst and templateLanguage.',
})
export class UpdateTemplateInput {
  @Allow() @Field(() => String, { nullable: true }) name?: string | null;
  @Allow() @Field(() => String, { nullable: true }) bodyHtml?: string | null;
  @Allow() @Field(() => String, { nullable: true }) subject?: string | null;
  @Allow()
  @Field(() => JsonScalar, { nullable: true, description: 'Needs bodyHtml.' })
  bodyAst?: unknown;
  @Allow() @Field(() => Boolean, { nullable: true }) isActive?: boolean | null;
  @Allow()
  @Field(() => String, { nullable: true, description: 'nlt or jinja2' })
  templateLanguage?: string | null;
  @Allow()
  @Field(() => Int, {
    nullable: true,
    description:
      'The version that the change is meant for; an error with the code conflict when it is another.',
  })
  expectedVersion?: number | null;
  @Allow() @Field(() => String, { nullable: true }) changeSummary?: string | null;
}

@InputType('TemplateVersionInput')
export class TemplateVersionInput {
  @Allow() @Field(() => String, { nullable: true }) changeSummary?: string | null;
  @Allow()
  @Field(() => JsonScalar, { nullable: true, description: 'Whatever an editor wants to keep.' })
  documentJson?: unknown;
}

@InputType('RestoreTemplateInput')
export class RestoreTemplateInput {
  @Allow() @Field(() => Int, { nullable: true }) expectedVersion?: number | null;
  @Allow() @Field(() => String, { nullable: true }) changeSummary?: string | null;
}

/** @throws DomainError as readTemplate does. */
export function newTemplateOf(input: CreateTemplateInput): NewTemplate {
  return readTemplate(snake(input));
}

/** @throws DomainError as readTemplateUpdate does. */
export function templateUpdateOf(
  input: UpdateTemplateInput,
  slug: string,
): { readonly update: TemplateUpdate; readonly note: ChangeNote } {
  return readTemplateUpdate(snake(input), slug);
}

/** @throws DomainError as readVersionNote does. */
export function versionNoteOf(input: TemplateVersionInput): VersionNote {
  return readVersionNote(snake(input));
}

/** @throws DomainError as readRestore does. */
export function restoreOf(input: RestoreTemplateInput): ChangeNote {
  return readRestore(snake(input));
}

/** The members under the names of REST; one that was left out stays so, and a null is a null. */
function snake(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
