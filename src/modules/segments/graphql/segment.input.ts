/** What the dashboard sends of segments; the same readers judge it as those of seed files. */
import { ArgsType, Field, InputType, Int } from '@nestjs/graphql';
import { Allow, IsInt, IsOptional, Max, MaxLength, Min } from 'class-validator';
import type { JsonObject } from '../../../kernel/json.js';
import { LARGEST_PAGE, NESTED_PAGE, PageArgs } from '../../../platform/graphql/connection.js';
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

@ArgsType()
export class SegmentsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Part of the name.' })
  @IsOptional()
  @MaxLength(255)
  search?: string | null;
}

@ArgsType()
export class PreviewSegmentArgs {
  @Allow() @Field(() => JsonScalar, { description: CONDITIONS }) conditions: unknown;
  @Allow() @Field({ defaultValue: 'all', description: 'all or any' }) match: string;
  @Field(() => Int, { defaultValue: NESTED_PAGE, description: `Of the sample, from 1 to ${LARGEST_PAGE}.` })
  @IsInt()
  @Min(1)
  @Max(LARGEST_PAGE)
  first: number;
}

/** The members that are given; a null stands for one that was left out. */
export function givenOf(input: object): JsonObject {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  );
}
