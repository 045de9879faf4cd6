/** What the dashboard sends of segments; the same readers judge it as those of seed files. */
import { Field, InputType } from '@nestjs/graphql';
import { Allow } from 'class-validator';
import type { JsonObject } from '../../../kernel/json.js';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';

const CONDITIONS = 'A list of conditions, in the names of REST.';

@InputType('CreateSegmentInput')
export class CreateSegmentInput {
  @Allow() @Field() name: string;
  @Allow() @Field(() => String, { nullable: true }) description?: string | null;
  @Allow() @Field(() => String, { nullable: true, description: 'all (the default) or any' }) match?:
    string | null;
  @Allow() @Field(() => JsonScalar, { description: CONDITIONS }) conditions: unknown;
}

@InputType('UpdateSegmentInput', { description: 'What is left out, or null, stays as it is.' })
export class UpdateSegmentInput {
  @Allow() @Field(() => String, { nullable: true }) name?: string | null;
  @Allow() @Field(() => String, { nullable: true }) description?: string | null;
  @Allow() @Field(() => String, { nullable: true, description: 'all or any' }) match?: string | null;
  @Allow() @Field(() => JsonScalar, { nullable: true, description: CONDITIONS }) conditions?: unknown;
}

/** The members that are given; a null stands for one that was left out. */
export function givenOf(input: object): JsonObject {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  );
}
