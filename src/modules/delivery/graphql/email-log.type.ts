/** A message as the dashboard sees it. */
import {
  ArgsType,
  Field,
  GraphQLISODateTime,
  ID,
  InputType,
  Int,
  ObjectType,
  registerEnumType,
} from '@nestjs/graphql';
import { Type } from 'class-transformer';
import { Allow, IsOptional, IsUUID, ValidateNested } from 'class-validator';
import { connection, edge, PageArgs } from '../../../platform/graphql/connection.js';
import type { EmailLog } from '../domain/email-log.js';
import { EMAIL_LOG_STATUSES, type EmailLogStatus } from '../domain/email-log-transitions.js';
import { EMAIL_ORIGINS, tripOf, type EmailOriginKind } from '../domain/email-origin.js';

/** The statuses as an enum of GraphQL, whose names are the values. */
export const EmailLogStatusEnum = Object.fromEntries(
  EMAIL_LOG_STATUSES.map((status) => [status, status]),
) as {
  readonly [Status in EmailLogStatus]: Status;
};
registerEnumType(EmailLogStatusEnum, {
  name: 'EmailLogStatus',
  description: 'What has become of a message.',
});

/** The origins as an enum of GraphQL, whose names are the values. */
export const EmailOriginEnum = Object.fromEntries(EMAIL_ORIGINS.map((origin) => [origin, origin])) as {
  readonly [Origin in EmailOriginKind]: Origin;
};
registerEnumType(EmailOriginEnum, { name: 'EmailOrigin', description: 'What asked for a message.' });

@ObjectType('EmailLog')
export class EmailLogType {
  @Field(() => ID) id: string;
  @Field(() => EmailOriginEnum) origin: EmailOriginKind;
  @Field(() => ID, {
    description:
      'What asked for the message: a trip, an instance of a campaign, a request, a message, a record.',
  })
  originId: string;
  @Field(() => ID, { nullable: true, description: 'Null when the message is of no flow.' })
  flowId: string | null;
  @Field(() => ID, { nullable: true, description: 'Null when the message is of no trip.' })
  tripId: string | null;
  @Field(() => Int, { nullable: true, description: "Index of the flow's step that asked for the message." })
  step: number | null;
  @Field(() => ID) contactId: string;
  @Field() templateSlug: string;
  @Field(() => Int, { nullable: true }) templateVersion: number | null;
  @Field() contentType: string;
  @Field(() => EmailLogStatusEnum) status: EmailLogStatus;
  @Field(() => String, { nullable: true }) toEmail: string | null;
  @Field(() => String, { nullable: true }) fromEmail: string | null;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field() messageId: string;
  @Field(() => Int) attempts: number;
  @Field(() => String, { nullable: true }) errorCode: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The server's answer, or what went wrong before it could answer.",
  })
  errorDetail: string | null;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
  @Field(() => GraphQLISODateTime) nextAttemptAt: Date;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
}

@ObjectType('EmailLogEdge')
export class EmailLogEdgeType extends edge<EmailLogType>(() => EmailLogType) {}

@ObjectType('EmailLogConnection')
export class EmailLogConnectionType extends connection(() => EmailLogEdgeType) {}

@InputType('EmailLogFilter')
export class EmailLogFilterInput {
  @Allow() @Field(() => EmailLogStatusEnum, { nullable: true }) status?: EmailLogStatus | null;
  @IsOptional() @IsUUID('all') @Field(() => ID, { nullable: true }) flowId?: string | null;
  @IsOptional() @IsUUID('all') @Field(() => ID, { nullable: true }) contactId?: string | null;
}

@ArgsType()
export class EmailLogsArgs extends PageArgs {
  @Field(() => EmailLogFilterInput, { nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => EmailLogFilterInput)
  filter?: EmailLogFilterInput | null;
}

export function emailLogTypeOf(log: EmailLog): EmailLogType {
  const {
    triggerEventId: _event,
    options: _options,
    reissues: _reissues,
    originStep: _step,
    sourceId,
    ...shown
  } = log;
  const trip = tripOf(log);
  return { ...shown, flowId: trip ? sourceId : null, tripId: trip?.tripId ?? null, step: trip?.step ?? null };
}
