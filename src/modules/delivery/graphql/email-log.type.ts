/** A message as the dashboard sees it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { EmailLog } from '../domain/email-log.js';
import type { EmailLogStatus } from '../domain/email-log-transitions.js';
import { EMAIL_ORIGINS, tripOf, type EmailOriginKind } from '../domain/email-origin.js';
import { EmailLogStatusEnum } from '../input/email-log-list.input.js';

const EmailOriginEnum = graphqlEnum('EmailOrigin', EMAIL_ORIGINS, 'What asked for a message.');

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
  @Field(() => Int, { nullable: true, description: "The id of the flow's step that asked for the message." })
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
