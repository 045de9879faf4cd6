/** The state of sending, as the dashboard shows it. */
import { Field, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { DeferringDomain, SendingQueue, SendingStatus, SentMinute } from '../domain/sending-status.js';

@ObjectType('SendingQueue', { description: 'Pending messages of one content type.' })
export class SendingQueueType implements SendingQueue {
  @Field(() => String, { description: 'transactional or promotional.' }) contentType: ContentType;
  @Field(() => Int, { description: 'Messages that can be sent now.' }) due: number;
  @Field(() => Int, { description: 'Messages scheduled for a retry.' }) later: number;
  @Field(() => Int, {
    description:
      'Messages held by a send window, do-not-disturb hours, a frequency cap, a throttle or a pause.',
  })
  held: number;
  @Field(() => Int, { description: 'Messages being sent.' }) sending: number;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Since when the oldest due message has been waiting. Null if none is due.',
  })
  oldestDueAt: Date | null;
  @Field({
    description: 'False if more than 10,000 messages are waiting; due messages are then counted first.',
  })
  isComplete: boolean;
}

@ObjectType('SentMinute')
export class SentMinuteType implements SentMinute {
  @Field(() => GraphQLISODateTime) since: Date;
  @Field(() => Int, { description: 'Messages that were sent or may have been sent.' }) messages: number;
}

@ObjectType('DeferringDomain', { description: 'A domain whose mail servers are deferring messages.' })
export class DeferringDomainType implements DeferringDomain {
  @Field() domain: string;
  @Field(() => Int, { description: 'Messages to this domain scheduled for a retry.' }) messages: number;
  @Field(() => GraphQLISODateTime, { description: 'When the first of them is retried.' }) nextAttemptAt: Date;
}

@ObjectType('SendingStatus')
export class SendingStatusType implements SendingStatus {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field(() => [SendingQueueType]) queues: SendingQueueType[];
  @Field(() => [SentMinuteType], { description: 'The five minutes before `at`, latest first.' })
  sentByMinute: SentMinuteType[];
  @Field(() => [DeferringDomainType], {
    description: 'At most 20, those with the most waiting messages first.',
  })
  deferringDomains: DeferringDomainType[];
}
