/** Overrides, checks and warnings as the dashboard shows them (section 4.7). */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { PublicFindingType } from './inspect.type.js';

@ObjectType('InspectOverride')
export class InspectOverrideType {
  @Field({ description: 'Returned only once. Valid for this version only.' }) token: string;
  @Field() templateSlug: string;
  @Field(() => Int) templateVersion: number;
  @Field(() => GraphQLISODateTime) expiresAt: Date;
}

@ObjectType('InspectWarning', {
  description: 'An open critical finding in a template that is about to be sent.',
})
export class InspectWarningType {
  @Field(() => ID) id: string;
  @Field(() => ID) jobId: string;
  @Field() templateSlug: string;
  @Field(() => Int) templateVersion: number;
  @Field({ description: 'A stable code. New codes may be added.' }) code: string;
  @Field() category: string;
  @Field() title: string;
  @Field() message: string;
  @Field({ description: 'How to fix it.' }) fix: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Line in the body, starting at 1. Null if there is no position.',
  })
  line: number | null;
  @Field(() => Int, { nullable: true }) column: number | null;
  @Field(() => String, { nullable: true }) snippet: string | null;
  @Field(() => [String], { description: 'Empty if all mail programs are affected.' })
  clients: readonly string[];
}

@ObjectType('PreSendFinding', { description: 'An open critical finding of the current version.' })
export class PreSendFindingType extends PublicFindingType {}

@ObjectType('PreSendCheck')
export class PreSendCheckType {
  @Field({ description: 'Can only be false if blocking is set to block.' }) canSend: boolean;
  @Field({ description: 'off, warn or block' }) blocking: string;
  @Field(() => String, {
    nullable: true,
    description: 'template_errors, critical_findings or never_inspected',
  })
  reason: string | null;
  @Field(() => [PreSendFindingType], { description: 'Open critical findings, at most 100.' })
  findings: readonly PreSendFindingType[];
  @Field(() => Int, {
    nullable: true,
    description: 'Score of the current version. Null if it was never inspected.',
  })
  score: number | null;
  @Field(() => Int) templateVersion: number;
  @Field(() => Int, { nullable: true }) inspectedVersion: number | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) lastInspectedAt: Date | null;
  @Field() overridden: boolean;
}
