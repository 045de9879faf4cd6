/** What the dashboard sends about flows; the fields are read by the same reader as those of REST. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { ArgsType, Field, GraphQLISODateTime, InputType, Int } from '@nestjs/graphql';
import { Type } from 'class-transformer';
import { Allow, ValidateNested } from 'class-validator';
import { invalidFields } from '../../../kernel/domain-error.js';
import { PageArgs } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import type { FlowFilter } from '../domain/flow-filter.js';
import { readFlow } from '../domain/read-flow.js';
import { FLOW_STATUSES, type NewFlow } from '../domain/flow.js';

@InputType('EmailSendSettingsInput')
export class EmailSendSettingsInput {
  @Allow() @Field(() => Boolean, { nullable: true }) ignoreFrequencyCapping?: boolean | null;
  @Allow() @Field(() => Boolean, { nullable: true }) countForFrequencyCapping?: boolean | null;
  @Allow() @Field(() => Boolean, { nullable: true }) ignoreDnd?: boolean | null;
  @Allow() @Field(() => Boolean, { nullable: true }) sendToUnsubscribed?: boolean | null;
  @Allow() @Field(() => Boolean, { nullable: true }) sendWindowEnabled?: boolean | null;
  @Allow() @Field(() => String, { nullable: true }) sendWindowStart?: string | null;
  @Allow() @Field(() => String, { nullable: true }) sendWindowEnd?: string | null;
  @Allow() @Field(() => String, { nullable: true }) sendWindowTimezone?: string | null;
}

@InputType('FlowStepInput')
export class FlowStepInput {
  @Allow() @Field({ description: 'send_email, wait or update_contact' }) type: string;
  @Allow() @Field(() => String, { nullable: true }) templateSlug?: string | null;
  @Allow() @Field(() => String, { nullable: true }) subject?: string | null;
  @Allow()
  @Field(() => EmailSendSettingsInput, { nullable: true })
  emailSendSettings?: EmailSendSettingsInput | null;
  @Allow() @Field(() => String, { nullable: true }) duration?: string | null;
  @Allow() @Field(() => JsonScalar, { nullable: true }) set?: unknown;
}

@InputType('FlowSettingsInput')
export class FlowSettingsInput {
  @Allow() @Field(() => String, { nullable: true }) reentryPolicy?: string | null;
  @Allow() @Field(() => Int, { nullable: true }) reentryCooldownDays?: number | null;
  @Allow() @Field(() => Boolean, { nullable: true }) throttleEnabled?: boolean | null;
  @Allow() @Field(() => Int, { nullable: true }) throttleLimit?: number | null;
  @Allow() @Field(() => String, { nullable: true }) throttlePeriod?: string | null;
}

@InputType('CreateFlowInput')
export class CreateFlowInput {
  @Allow() @Field() name: string;
  @Allow() @Field({ description: 'Lower snake case.' }) triggerEvent: string;
  @Allow() @Field({ description: 'transactional or promotional' }) contentType: string;
  @Allow() @Field(() => String, { nullable: true }) description?: string | null;
  @Allow() @Field(() => JsonScalar, { nullable: true }) triggerConditions?: unknown;
  @Allow() @Field(() => [FlowStepInput], { nullable: true }) steps?: FlowStepInput[] | null;
  @Allow() @Field(() => [String], { nullable: true }) tags?: string[] | null;
  @Allow() @Field(() => FlowSettingsInput, { nullable: true }) settings?: FlowSettingsInput | null;
}

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

/**
 * Reads the input of createFlow by the reader of REST.
 * @throws DomainError as readFlow does.
 */
export function newFlowOf({ steps, settings, ...flow }: CreateFlowInput): NewFlow {
  const readable = steps?.map(({ emailSendSettings, ...step }) => ({
    ...snake(step),
    ...(emailSendSettings ? { email_send_settings: snake(emailSendSettings) } : {}),
  }));
  return readFlow({
    ...snake(flow),
    ...(readable ? { steps: readable } : {}),
    ...(settings ? { settings: snake(settings) } : {}),
  });
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

/** The members under the names of REST; a null stands for a member that was left out. */
function snake(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
