/** The state of a workspace's promotional mail, in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { PromotionalSendingStatus } from '../application/promotional-sendings.js';
import { heldUntil, PAUSE_REASONS, type PauseReason, type SendingCounts } from '../domain/sending-pause.js';
import type { SendingPause } from '../persistence/promotional-sending.repository.js';

const PauseReasonEnum = graphqlEnum(
  'SendingPauseReason',
  PAUSE_REASONS,
  'Why promotional mail was paused automatically.',
);

@Output({
  graphql: 'SendingPause',
  description: 'A period in which promotional mail was held back because of too many bounces or complaints.',
})
class SendingPauseOutput {
  @Out('ID') id: string;
  @Out(oneOf(PAUSE_REASONS, PauseReasonEnum)) reason: PauseReason;
  @Out('DateTime') pausedAt: Date;
  @Out('DateTime', {
    description: 'Messages still held at this time are not sent.',
  })
  heldUntil: Date;
  @Out('Int', { description: 'Promotional messages sent in the seven days before the pause.' })
  sent: number;
  @Out('Int') bounced: number;
  @Out('Int') complained: number;
  @Out('DateTime', { nullable: true, description: 'Null while the pause lasts.' })
  resumedAt: Date | null;
  @Out('String', {
    nullable: true,
    description: 'ID of the member, or `api_key:` followed by a key ID.',
  })
  resumedBy: string | null;
  @Out('String', { nullable: true }) note: string | null;
}

@Output({
  graphql: 'PromotionalSending',
  description: 'State of the environment’s promotional mail. Only live mail is counted.',
})
export class PromotionalSendingOutput {
  @Out('DateTime', {
    description:
      'Start of the period for the counts: seven days ago, or the last time promotional mail was resumed.',
  })
  since: Date;
  @Out('Int', { description: 'Promotional messages sent.' }) sent: number;
  @Out('Int') bounced: number;
  @Out('Int') complained: number;
  @Out('Float', {
    description: 'Percentage of sent messages that bounced. Promotional mail is paused at 5.',
  })
  bounceRate: number;
  @Out('Float', {
    description: 'Percentage of sent messages with complaints. Promotional mail is paused at 0.1.',
  })
  complaintRate: number;
  @Out(SendingPauseOutput, {
    nullable: true,
    description: 'The current pause. Null if promotional mail is not paused.',
  })
  pause: SendingPauseOutput | null;
  @Out('DateTime', {
    nullable: true,
    description: 'The earliest time the pause can be ended. Null if there is no pause.',
  })
  resumableAt: Date | null;
  @Out('Int', { description: 'Messages held by the pause, counted up to 10000.' }) held: number;
  @Out([SendingPauseOutput], { description: 'The latest 20 pauses, newest first.' })
  pauses: readonly SendingPauseOutput[];
}

export function promotionalSendingOutput(status: PromotionalSendingStatus): PromotionalSendingOutput {
  const { bounced, complained, pause, pauses } = status;
  return {
    ...status,
    bounceRate: percentage(bounced, status),
    complaintRate: percentage(complained, status),
    pause: pause && pauseOutput(pause),
    pauses: pauses.map(pauseOutput),
  };
}

function pauseOutput(pause: SendingPause): SendingPauseOutput {
  return { ...pause, heldUntil: heldUntil(pause.pausedAt) };
}

/** Rounded to two decimals. */
function percentage(part: number, { sent }: SendingCounts): number {
  return sent > 0 ? Math.round((part / sent) * 10_000) / 100 : 0;
}
