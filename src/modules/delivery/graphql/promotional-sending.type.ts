/** How a workspace's promotional mail stands, as the dashboard sees it. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { ShownStanding } from '../application/promotional-sendings.js';
import { heldUntil, PAUSE_REASONS, type PauseReason, type SendingFigures } from '../domain/sending-pause.js';
import type { SendingPause } from '../persistence/promotional-sending.repository.js';

const PauseReasonEnum = graphqlEnum(
  'SendingPauseReason',
  PAUSE_REASONS,
  'Why promotional mail has stopped by itself.',
);

@ObjectType('SendingPause', {
  description: 'A time in which promotional mail was held back, since too much of it came back.',
})
export class SendingPauseType {
  @Field(() => ID) id: string;
  @Field(() => PauseReasonEnum) reason: PauseReason;
  @Field(() => GraphQLISODateTime) pausedAt: Date;
  @Field(() => GraphQLISODateTime, {
    description: 'What is held is not sent any more where nobody has had it go on by then.',
  })
  heldUntil: Date;
  @Field(() => Int, { description: 'Promotional messages of the seven days before.' }) sent: number;
  @Field(() => Int) bounced: number;
  @Field(() => Int) complained: number;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Null while it lasts.' })
  resumedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'The member, or `api_key:` and the key.' })
  resumedBy: string | null;
  @Field(() => String, { nullable: true }) note: string | null;
}

@ObjectType('PromotionalSending', {
  description: 'How the environment’s promotional mail stands. Only live mail is counted.',
})
export class PromotionalSendingType {
  @Field(() => GraphQLISODateTime, {
    description: 'From when on figures count: seven days ago, or since promotional mail has gone on last.',
  })
  since: Date;
  @Field(() => Int, { description: 'Promotional messages sent.' }) sent: number;
  @Field(() => Int) bounced: number;
  @Field(() => Int) complained: number;
  @Field(() => Float, { description: 'Percent of those sent; from 5 on promotional mail stops.' })
  bounceRate: number;
  @Field(() => Float, { description: 'Percent of those sent; from 0.1 on promotional mail stops.' })
  complaintRate: number;
  @Field(() => SendingPauseType, { nullable: true, description: 'Null where promotional mail goes on.' })
  pause: SendingPauseType | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'From when on it may be ended; null where there is none.',
  })
  resumableAt: Date | null;
  @Field(() => Int, { description: 'Messages that it holds; at most 10000 are counted.' }) held: number;
  @Field(() => [SendingPauseType], { description: 'The latest pauses, the newest first, at most 20.' })
  pauses: SendingPauseType[];
}

export function promotionalSendingTypeOf(standing: ShownStanding): PromotionalSendingType {
  const { since, sent, bounced, complained, pause, held, pauses } = standing;
  return {
    since,
    sent,
    bounced,
    complained,
    bounceRate: percentage(bounced, standing),
    complaintRate: percentage(complained, standing),
    pause: pause && pauseTypeOf(pause),
    resumableAt: standing.resumableAt,
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

/** With two decimals. */
function percentage(part: number, { sent }: SendingFigures): number {
  return sent > 0 ? Math.round((part / sent) * 10_000) / 100 : 0;
}
