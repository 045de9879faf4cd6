/** Which flows the dashboard lists. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { ArgsType, Field, GraphQLISODateTime, InputType } from '@nestjs/graphql';
import { Type } from 'class-transformer';
import { Allow, ValidateNested } from 'class-validator';
import { invalidFields } from '../../../kernel/domain-error.js';
import { PageArgs } from '../../../platform/graphql/connection.js';
import type { FlowFilter } from '../domain/flow-filter.js';
import { FLOW_STATUSES } from '../domain/flow.js';

@InputType('FlowFilterInput')
export class FlowFilterInput {
  @Allow() @Field(() => String, { nullable: true, description: 'Part of the name.' }) search?: string | null;
  @Allow() @Field(() => String, { nullable: true }) status?: string | null;
  @Allow() @Field(() => String, { nullable: true }) contentType?: string | null;
  @Allow() @Field(() => String, { nullable: true }) tag?: string | null;
  @Allow() @Field(() => GraphQLISODateTime, { nullable: true }) createdAfter?: Date | null;
  @Allow() @Field(() => GraphQLISODateTime, { nullable: true }) createdBefore?: Date | null;
  @Allow() @Field(() => GraphQLISODateTime, { nullable: true }) updatedAfter?: Date | null;
  @Allow() @Field(() => GraphQLISODateTime, { nullable: true }) updatedBefore?: Date | null;
}

@ArgsType()
export class FlowsArgs extends PageArgs {
  @Field(() => FlowFilterInput, { defaultValue: {} })
  @ValidateNested()
  @Type(() => FlowFilterInput)
  filter: FlowFilterInput;
}

/** @throws DomainError invalid_field for a status or a content type that does not exist. */
export function flowFilterOf(input: FlowFilterInput): FlowFilter {
  const { search, status, contentType, tag, createdAfter, createdBefore, updatedAfter, updatedBefore } =
    input;
  return {
    search: search ?? undefined,
    status: oneOf('status', FLOW_STATUSES, status),
    contentType: oneOf('contentType', CONTENT_TYPES, contentType),
    tag: tag ?? undefined,
    createdAfter: createdAfter ?? undefined,
    createdBefore: createdBefore ?? undefined,
    updatedAfter: updatedAfter ?? undefined,
    updatedBefore: updatedBefore ?? undefined,
  };
}

function oneOf<Value extends string>(
  field: string,
  values: readonly Value[],
  value: string | null | undefined,
): Value | undefined {
  if (value === null || value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (!known) throw invalidFields([{ field, message: `must be ${values.join(', ')}` }]);
  return known;
}
