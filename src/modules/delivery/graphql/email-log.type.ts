/** A message as the dashboard shows it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { EmailLog } from '../domain/email-log.js';
import { BOUNCE_KINDS, type BounceKind } from '../domain/engagement.js';
import type { EmailLogStatus } from '../domain/email-log-transitions.js';
import { EMAIL_ORIGINS, type EmailOriginKind } from '../domain/email-origin.js';
import { HOLDS, type Hold } from '../domain/send-gates.js';
import { emailLogView } from '../domain/email-log-view.js';
import { EmailLogStatusEnum } from '../input/email-log-list.input.js';

const EmailOriginEnum = graphqlEnum('EmailOrigin', EMAIL_ORIGINS, 'What created a message.');

const BounceKindEnum = graphqlEnum(
  'BounceKind',
  BOUNCE_KINDS,
  'Whether the address cannot receive mail (hard) or only this message was not delivered (soft).',
);

const SendGateEnum = graphqlEnum('SendGate', HOLDS, 'What can hold a message back for a time.');

@ObjectType('SendWait', { description: 'What holds back a queued message.' })
export class SendWaitType {
  @Field(() => SendGateEnum) gate: Hold;
  @Field(() => GraphQLISODateTime, {
    description: 'The earliest time of the next check. In a throttle queue, when the next slot is expected.',
  })
  until: Date;
}

@ObjectType('EmailLog')
export class EmailLogType {
  @Field(() => ID) id: string;
  @Field(() => EmailOriginEnum) origin: EmailOriginKind;
  @Field(() => ID, {
    description: 'ID of the trip, campaign instance, request, message or record that created the message.',
  })
  originId: string;
  @Field(() => ID, { nullable: true, description: 'Null if the message does not belong to a flow.' })
  flowId: string | null;
  @Field(() => ID, { nullable: true, description: 'Null if the message does not belong to a trip.' })
  tripId: string | null;
  @Field(() => Int, { nullable: true, description: 'ID of the flow step that created the message.' })
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
  @Field(() => String, {
    nullable: true,
    description: 'The operator’s name of the transport used for the last attempt.',
  })
  transport: string | null;
  @Field(() => Int) attempts: number;
  @Field(() => String, { nullable: true }) errorCode: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The server’s response, or the error before one was received.',
  })
  errorDetail: string | null;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
  @Field(() => GraphQLISODateTime) nextAttemptAt: Date;
  @Field(() => SendWaitType, { nullable: true, description: 'Null unless something holds the message back.' })
  waitsFor: SendWaitType | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When delivery was first reported. An open, click or complaint also counts as delivery.',
  })
  deliveredAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When a person first opened the message.' })
  openedAt: Date | null;
  @Field(() => Int, { description: 'By people.' }) opens: number;
  @Field(() => Int, { description: 'By privacy proxies and scanners.' }) machineOpens: number;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When a person first clicked a link.' })
  clickedAt: Date | null;
  @Field(() => Int, { description: 'By people.' }) clicks: number;
  @Field(() => Int, { description: 'By scanners.' }) machineClicks: number;
  @Field(() => GraphQLISODateTime, { nullable: true }) bouncedAt: Date | null;
  @Field(() => BounceKindEnum, { nullable: true }) bounceKind: BounceKind | null;
  @Field(() => String, { nullable: true, description: 'Enhanced status code, for example 5.1.1.' })
  bounceCode: string | null;
  @Field(() => String, { nullable: true, description: 'The receiving server’s response.' })
  bounceDetail: string | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) complainedAt: Date | null;
}

@ObjectType('EmailLogEdge')
export class EmailLogEdgeType extends edge<EmailLogType>(() => EmailLogType) {}

@ObjectType('EmailLogConnection')
export class EmailLogConnectionType extends connection(() => EmailLogEdgeType) {}

export function emailLogTypeOf(log: EmailLog): EmailLogType {
  const { campaignId: _campaign, ...view } = emailLogView(log);
  return view;
}
