/** How sending stands, as the dashboard sees it. */
import { Field, GraphQLISODateTime, Int, ObjectType } from '@nestjs/graphql';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { DeferringDomain, SendingQueue, SendingStatus, SentMinute } from '../domain/sending-status.js';

@ObjectType('SendingQueue', { description: 'The messages of a content type that have no fate yet.' })
export class SendingQueueType implements SendingQueue {
  @Field(() => String, { description: 'transactional or promotional.' }) contentType: ContentType;
  @Field(() => Int, { description: 'Messages that may go now.' }) due: number;
  @Field(() => Int, { description: 'Messages that are tried again later.' }) later: number;
  @Field(() => Int, {
    description: 'Messages that are held back: by a window, hours of rest, a cap, a throttle or a pause.',
  })
  held: number;
  @Field(() => Int, { description: 'Messages that are being sent.' }) sending: number;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Since when the first of those that are due may go.',
  })
  oldestDueAt: Date | null;
  @Field({
    description: 'False where more than 10,000 wait; those that are due first are counted then.',
  })
  isComplete: boolean;
}

@ObjectType('SentMinute')
export class SentMinuteType implements SentMinute {
  @Field(() => GraphQLISODateTime) since: Date;
  @Field(() => Int, { description: 'Messages that went out, or may have.' }) messages: number;
}

@ObjectType('DeferringDomain', { description: 'A domain whose mail servers refuse messages for now.' })
export class DeferringDomainType implements DeferringDomain {
  @Field() domain: string;
  @Field(() => Int, { description: 'Messages to it that are tried again.' }) messages: number;
  @Field(() => GraphQLISODateTime, { description: 'When the first of them is.' }) nextAttemptAt: Date;
}

@ObjectType('SendingStatus')
export class SendingStatusType implements SendingStatus {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field(() => [SendingQueueType]) queues: SendingQueueType[];
  @Field(() => [SentMinuteType], { description: 'The five minutes before `at`, the latest first.' })
  sentByMinute: SentMinuteType[];
  @Field(() => [DeferringDomainType], {
    description: 'At most 20, those first that most messages wait for.',
  })
  deferringDomains: DeferringDomainType[];
}
