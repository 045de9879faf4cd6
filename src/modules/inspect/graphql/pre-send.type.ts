/** Overrides, checks and warnings as the dashboard sees them (section 4.7). */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { ToldFindingType } from './inspect.type.js';

@ObjectType('InspectOverride')
export class InspectOverrideType {
  @Field({ description: 'Shown this once; it is good for this version alone.' }) token: string;
  @Field() templateSlug: string;
  @Field(() => Int) templateVersion: number;
  @Field(() => GraphQLISODateTime) expiresAt: Date;
}

@ObjectType('InspectWarning', {
  description: 'A critical finding that is open in a template which something sends.',
})
export class InspectWarningType {
  @Field(() => ID) id: string;
  @Field(() => ID) jobId: string;
  @Field() templateSlug: string;
  @Field(() => Int) templateVersion: number;
  @Field({ description: 'Stable; more may be added.' }) code: string;
  @Field() category: string;
  @Field() title: string;
  @Field() message: string;
  @Field({ description: 'How to mend it.' }) fix: string;
  @Field(() => Int, { nullable: true, description: 'In the body, from 1.' }) line: number | null;
  @Field(() => Int, { nullable: true }) column: number | null;
  @Field(() => String, { nullable: true }) snippet: string | null;
  @Field(() => [String], { description: 'Empty where all are concerned.' }) clients: readonly string[];
}

@ObjectType('PreSendFinding', { description: 'A critical finding that is open in the current version.' })
export class PreSendFindingType extends ToldFindingType {}

@ObjectType('PreSendCheck')
export class PreSendCheckType {
  @Field({ description: 'False under block alone.' }) canSend: boolean;
  @Field({ description: 'off, warn or block' }) blocking: string;
  @Field(() => String, {
    nullable: true,
    description: 'template_errors, critical_findings or never_inspected',
  })
  reason: string | null;
  @Field(() => [PreSendFindingType], { description: 'The open critical ones, at most 100.' })
  findings: readonly PreSendFindingType[];
  @Field(() => Int, { nullable: true, description: 'Of the current version.' }) score: number | null;
  @Field(() => Int) templateVersion: number;
  @Field(() => Int, { nullable: true }) inspectedVersion: number | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) lastInspectedAt: Date | null;
  @Field() overridden: boolean;
}
