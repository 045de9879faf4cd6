/** A message as the dashboard sees it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { EmailLog } from '../domain/email-log.js';
import { BOUNCE_KINDS, type BounceKind } from '../domain/engagement.js';
import type { EmailLogStatus } from '../domain/email-log-transitions.js';
import { EMAIL_ORIGINS, type EmailOriginKind } from '../domain/email-origin.js';
import { HOLDS, type Hold } from '../domain/send-gates.js';
import { shownEmailLog } from '../domain/shown-email-log.js';
import { EmailLogStatusEnum } from '../input/email-log-list.input.js';

const EmailOriginEnum = graphqlEnum('EmailOrigin', EMAIL_ORIGINS, 'What asked for a message.');

const BounceKindEnum = graphqlEnum(
  'BounceKind',
  BOUNCE_KINDS,
  'Whether the address takes no mail, or this message did not get there.',
);

const SendGateEnum = graphqlEnum('SendGate', HOLDS, 'What may hold a message back for a time.');

@ObjectType('SendWait', { description: 'What holds a queued message back.' })
export class SendWaitType {
  @Field(() => SendGateEnum) gate: Hold;
  @Field(() => GraphQLISODateTime, {
    description:
      'When it is asked again, at the earliest: in the line of a throttle, when the next slot is expected.',
  })
  until: Date;
}

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
  @Field(() => String, {
    nullable: true,
    description:
      'The operator’s name of the way that its last attempt took: who has taken it, once it is sent.',
  })
  transport: string | null;
  @Field(() => Int) attempts: number;
  @Field(() => String, { nullable: true }) errorCode: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The server's answer, or what went wrong before it could answer.",
  })
  errorDetail: string | null;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
  @Field(() => GraphQLISODateTime) nextAttemptAt: Date;
  @Field(() => SendWaitType, { nullable: true, description: 'Null unless a gate holds it back.' })
  waitsFor: SendWaitType | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'The first word that it came to its mailbox; an open, a click or a complaint says so too.',
  })
  deliveredAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'First opened by a person.' })
  openedAt: Date | null;
  @Field(() => Int, { description: 'By people.' }) opens: number;
  @Field(() => Int, { description: 'By privacy proxies and scanners.' }) machineOpens: number;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'First clicked by a person.' })
  clickedAt: Date | null;
  @Field(() => Int, { description: 'By people.' }) clicks: number;
  @Field(() => Int, { description: 'By scanners.' }) machineClicks: number;
  @Field(() => GraphQLISODateTime, { nullable: true }) bouncedAt: Date | null;
  @Field(() => BounceKindEnum, { nullable: true }) bounceKind: BounceKind | null;
  @Field(() => String, { nullable: true, description: 'Enhanced status code, such as 5.1.1.' })
  bounceCode: string | null;
  @Field(() => String, { nullable: true, description: 'What the receiving server said.' })
  bounceDetail: string | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) complainedAt: Date | null;
}

@ObjectType('EmailLogEdge')
export class EmailLogEdgeType extends edge<EmailLogType>(() => EmailLogType) {}

@ObjectType('EmailLogConnection')
export class EmailLogConnectionType extends connection(() => EmailLogEdgeType) {}

export function emailLogTypeOf(log: EmailLog): EmailLogType {
  const { campaignId: _campaign, ...shown } = shownEmailLog(log);
  return shown;
}
