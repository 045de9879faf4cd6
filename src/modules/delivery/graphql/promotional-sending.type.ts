/** The state of a workspace's promotional mail, as the dashboard shows it. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { PromotionalSendingStatus } from '../application/promotional-sendings.js';
import { heldUntil, PAUSE_REASONS, type PauseReason, type SendingCounts } from '../domain/sending-pause.js';
import type { SendingPause } from '../persistence/promotional-sending.repository.js';

const PauseReasonEnum = graphqlEnum(
  'SendingPauseReason',
  PAUSE_REASONS,
  'Why promotional mail was paused automatically.',
);

@ObjectType('SendingPause', {
  description: 'A period in which promotional mail was held back because of too many bounces or complaints.',
})
export class SendingPauseType {
  @Field(() => ID) id: string;
  @Field(() => PauseReasonEnum) reason: PauseReason;
  @Field(() => GraphQLISODateTime) pausedAt: Date;
  @Field(() => GraphQLISODateTime, {
    description: 'Messages still held at this time are not sent.',
  })
  heldUntil: Date;
  @Field(() => Int, { description: 'Promotional messages sent in the seven days before the pause.' })
  sent: number;
  @Field(() => Int) bounced: number;
  @Field(() => Int) complained: number;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Null while the pause lasts.' })
  resumedAt: Date | null;
  @Field(() => String, {
    nullable: true,
    description: 'ID of the member, or `api_key:` followed by a key ID.',
  })
  resumedBy: string | null;
  @Field(() => String, { nullable: true }) note: string | null;
}

@ObjectType('PromotionalSending', {
  description: 'State of the environment’s promotional mail. Only live mail is counted.',
})
export class PromotionalSendingType {
  @Field(() => GraphQLISODateTime, {
    description:
      'Start of the period for the counts: seven days ago, or the last time promotional mail was resumed.',
  })
  since: Date;
  @Field(() => Int, { description: 'Promotional messages sent.' }) sent: number;
  @Field(() => Int) bounced: number;
  @Field(() => Int) complained: number;
  @Field(() => Float, {
    description: 'Percentage of sent messages that bounced. Promotional mail is paused at 5.',
  })
  bounceRate: number;
  @Field(() => Float, {
    description: 'Percentage of sent messages with complaints. Promotional mail is paused at 0.1.',
  })
  complaintRate: number;
  @Field(() => SendingPauseType, {
    nullable: true,
    description: 'The current pause. Null if promotional mail is not paused.',
  })
  pause: SendingPauseType | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'The earliest time the pause can be ended. Null if there is no pause.',
  })
  resumableAt: Date | null;
  @Field(() => Int, { description: 'Messages held by the pause, counted up to 10000.' }) held: number;
  @Field(() => [SendingPauseType], { description: 'The latest 20 pauses, newest first.' })
  pauses: SendingPauseType[];
}

export function promotionalSendingTypeOf(status: PromotionalSendingStatus): PromotionalSendingType {
  const { since, sent, bounced, complained, pause, held, pauses } = status;
  return {
    since,
    sent,
    bounced,
    complained,
    bounceRate: percentage(bounced, status),
    complaintRate: percentage(complained, status),
    pause: pause && pauseTypeOf(pause),
    resumableAt: status.resumableAt,
    held,
    pauses: pauses.map(pauseTypeOf),
  };
}

function pauseTypeOf(pause: SendingPause): SendingPauseType {
  const { id, reason, pausedAt, sent, bounced, complained, resumedAt, resumedBy, note } = pause;
  return {
    id,
    reason,
    pausedAt,
    heldUntil: heldUntil(pausedAt),
    sent,
    bounced,
    complained,
    resumedAt,
    resumedBy,
    note,
  };
}

/** Rounded to two decimals. */
function percentage(part: number, { sent }: SendingCounts): number {
  return sent > 0 ? Math.round((part / sent) * 10_000) / 100 : 0;
}
