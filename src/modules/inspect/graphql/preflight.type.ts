/** The answer of preflight as the dashboard shows it. */
import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { Preflight } from '../domain/preflight/preflight-answer.js';

@ObjectType('PreflightItem', { description: 'A preflight finding.' })
export class PreflightItemType {
  @Field({ description: 'content, links, images, domain or accessibility' }) category: string;
  @Field() message: string;
  @Field({ description: 'error, warning or info' }) severity: string;
  @Field({ description: 'A stable code. New codes may be added.' }) code: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Line in the body, starting at 1. Null if there is no position.',
  })
  line: number | null;
  @Field(() => Int, { nullable: true }) column: number | null;
  @Field({ description: 'How to fix it.' }) hint: string;
}

@ObjectType('Preflight')
export class PreflightType {
  @Field({ description: 'True if there are no errors.' }) pass: boolean;
  @Field(() => [PreflightItemType]) errors: PreflightItemType[];
  @Field(() => [PreflightItemType]) warnings: PreflightItemType[];
  @Field(() => [PreflightItemType]) info: PreflightItemType[];
}

export function preflightTypeOf({ pass, errors, warnings, info }: Preflight): PreflightType {
  return { pass, errors: [...errors], warnings: [...warnings], info: [...info] };
}
