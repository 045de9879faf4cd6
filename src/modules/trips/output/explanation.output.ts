/** Explanations in GraphQL: of a trip, and of why a contact received nothing. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { EmailLogStatusEnum } from '../../delivery/input/email-log-list.input.js';
import { EMAIL_LOG_STATUSES, type EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';
import type { ExplainedTrip } from '../application/trip-explanations.js';
import { DECISION_OUTCOMES, type DecisionOutcome } from '../domain/outcomes.js';
import { SILENCE_CHECKS, type SilenceCheck } from '../domain/silence-inputs.js';
import { TRIP_STATUSES, type TripStatus } from '../domain/trip-transitions.js';
import { WAIT_KINDS, type WaitKind } from '../domain/waiting.js';
import { TripStatusEnum } from '../input/trip-list.input.js';

const REASON = 'A stable code.';

const DecisionOutcomeEnum = graphqlEnum('TripDecisionOutcome', DECISION_OUTCOMES, 'The outcome.');

@Output({ graphql: 'TripDecision', description: 'A decision about a trip, or an event in its history.' })
class TripDecisionOutput {
  @Out('DateTime') at: Date;
  @Out('Int', { nullable: true, description: 'Null if it does not concern a step.' }) stepId: number | null;
  @Out('String', {
    nullable: true,
    description: 'Position of the step in the trip’s version, for example `steps[2].branches[0].steps[1]`.',
  })
  stepPath: string | null;
  @Out('String', { nullable: true }) stepType: string | null;
  @Out(oneOf(DECISION_OUTCOMES, DecisionOutcomeEnum)) outcome: DecisionOutcome;
  @Out('String', {
    nullable: true,
    description:
      'The branch taken at a condition or split: true, false, none, or the index of the branch or variant, ' +
      'starting at 0.',
  })
  way: string | null;
  @Out('String', { nullable: true, description: 'Name of the branch, or its condition.' })
  wayName: string | null;
  @Out('String', { description: REASON }) reason: string;
  @Out('String') detail: string;
  @Out('JSON', {
    description:
      'The inputs of the decision. Values of the contact and its events (`values`) are only included with ' +
      'permission to read contacts.',
  })
  facts: unknown;
}

@Output({ graphql: 'TripMessage', description: 'A message created by a trip.' })
class TripMessageOutput {
  @Out('ID', { description: 'ID of its email log.' }) id: string;
  @Out('Int') stepId: number;
  @Out('String', { nullable: true }) stepPath: string | null;
  @Out('Boolean', { description: 'Whether it repeats a failed message at a user’s request.' })
  isRepetition: boolean;
  @Out('String') templateSlug: string;
  @Out(oneOf(EMAIL_LOG_STATUSES, EmailLogStatusEnum)) status: EmailLogStatus;
  @Out('String', { nullable: true }) errorCode: string | null;
  @Out('String', { nullable: true }) suppressedReason: string | null;
  @Out('String', {
    nullable: true,
    description: 'What holds it back while it is queued. Null otherwise.',
  })
  heldBy: string | null;
  @Out('Int') attempts: number;
  @Out('DateTime') nextAttemptAt: Date;
  @Out('DateTime', { nullable: true }) sentAt: Date | null;
  @Out('String') detail: string;
  @Out('JSON', {
    description:
      'The gates that were checked, how long each held the message, and how much of a cap was used.',
  })
  facts: unknown;
}

const WaitKindEnum = graphqlEnum('TripWaitKind', WAIT_KINDS, 'What a trip is waiting for.');

@Output({ graphql: 'TripWait', description: 'What a trip is waiting for.' })
export class TripWaitOutput {
  @Out(oneOf(WAIT_KINDS, WaitKindEnum)) kind: WaitKind;
  @Out('DateTime', { nullable: true, description: 'Null if unknown.' })
  until: Date | null;
  @Out('String') detail: string;
}

@Output({ graphql: 'TripEnd', description: 'Why a trip ended.' })
class TripEndOutput {
  @Out('DateTime') at: Date;
  @Out('String', { description: REASON }) reason: string;
  @Out('String') detail: string;
}

@Output({ graphql: 'TripExplanation', description: 'The current state of a trip and how it got there.' })
export class TripExplanationOutput {
  @Out('ID') tripId: string;
  @Out('ID') flowId: string;
  @Out('Int') flowVersion: number;
  @Out('ID') contactId: string;
  @Out(oneOf(TRIP_STATUSES, TripStatusEnum)) status: TripStatus;
  @Out([TripDecisionOutput], { description: 'In chronological order.' })
  decisions: readonly TripDecisionOutput[];
  @Out([TripMessageOutput], { description: 'In the order they were created.' })
  messages: readonly TripMessageOutput[];
  @Out(TripWaitOutput, { nullable: true, description: 'Null if the trip has ended.' })
  waitsFor: TripWaitOutput | null;
  @Out(TripEndOutput, { nullable: true, description: 'Null while the trip is in flight.' })
  end: TripEndOutput | null;
}

const SilenceCheckEnum = graphqlEnum('SilenceCheck', SILENCE_CHECKS, 'The question that was checked.');

@Output({ graphql: 'SilenceFinding', description: 'The answer to one check about a contact and a flow.' })
class SilenceFindingOutput {
  @Out(oneOf(SILENCE_CHECKS, SilenceCheckEnum)) check: SilenceCheck;
  @Out('Boolean', { description: 'Whether this kept the contact from entering the flow or receiving mail.' })
  isAgainst: boolean;
  @Out('String', { description: REASON }) reason: string;
  @Out('String') detail: string;
  @Out('DateTime', { nullable: true }) at: Date | null;
  @Out('ID', { nullable: true, description: 'The event that was checked. Null if there is none.' })
  eventId: string | null;
  @Out('ID', { nullable: true, description: 'The trip it concerns. Null if there is none.' }) tripId:
    string | null;
  @Out('String', { nullable: true }) stepPath: string | null;
  @Out('JSON') facts: unknown;
}

@Output({
  graphql: 'SilenceExplanation',
  description: 'Why a contact did not enter a flow or received no mail.',
})
export class SilenceExplanationOutput {
  @Out('String', {
    nullable: true,
    description: 'Reason of the first finding that kept the contact out. Null if there is none.',
  })
  reason: string | null;
  @Out('String') detail: string;
  @Out([SilenceFindingOutput], {
    description:
      'Findings about the contact’s latest events come first, then about the contact and flow, then about its ' +
      'trips.',
  })
  findings: readonly SilenceFindingOutput[];
}

export function tripExplanationOutput({ trip, explanation }: ExplainedTrip): TripExplanationOutput {
  const { id: tripId, flowId, flowVersion, contactId, status } = trip;
  return { tripId, flowId, flowVersion, contactId, status, ...explanation };
}
