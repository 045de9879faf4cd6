/** GraphQL types for explanations: of a trip, and of why a contact received nothing. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { EmailLogStatusEnum } from '../../delivery/input/email-log-list.input.js';
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';
import type { ExplainedTrip } from '../application/trip-explanations.js';
import { DECISION_OUTCOMES, type DecisionOutcome } from '../domain/outcomes.js';
import { SILENCE_CHECKS, type SilenceCheck } from '../domain/silence-inputs.js';
import type { SilenceExplanation } from '../domain/silence.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { WAIT_KINDS, type WaitKind } from '../domain/waiting.js';
import { TripStatusEnum } from '../input/trip-list.input.js';

const REASON = 'A stable code.';

const DecisionOutcomeEnum = graphqlEnum('TripDecisionOutcome', DECISION_OUTCOMES, 'The outcome.');

@ObjectType('TripDecision', { description: 'A decision about a trip, or an event in its history.' })
export class TripDecisionType {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field(() => Int, { nullable: true, description: 'Null if it does not concern a step.' }) stepId:
    number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Position of the step in the trip’s version, for example `steps[2].branches[0].steps[1]`.',
  })
  stepPath: string | null;
  @Field(() => String, { nullable: true }) stepType: string | null;
  @Field(() => DecisionOutcomeEnum) outcome: DecisionOutcome;
  @Field(() => String, {
    nullable: true,
    description:
      'The branch taken at a condition or split: true, false, none, or the index of the branch or variant, ' +
      'starting at 0.',
  })
  way: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the branch, or its condition.' })
  wayName: string | null;
  @Field({ description: REASON }) reason: string;
  @Field() detail: string;
  @Field(() => JsonScalar, {
    description:
      'The inputs of the decision. Values of the contact and its events (`values`) are only included with ' +
      'permission to read contacts.',
  })
  facts: unknown;
}

@ObjectType('TripMessage', { description: 'A message created by a trip.' })
export class TripMessageType {
  @Field(() => ID, { description: 'ID of its email log.' }) id: string;
  @Field(() => Int) stepId: number;
  @Field(() => String, { nullable: true }) stepPath: string | null;
  @Field({ description: 'Whether it repeats a failed message at a user’s request.' }) isRepetition: boolean;
  @Field() templateSlug: string;
  @Field(() => EmailLogStatusEnum) status: EmailLogStatus;
  @Field(() => String, { nullable: true }) errorCode: string | null;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What holds it back while it is queued. Null otherwise.',
  })
  heldBy: string | null;
  @Field(() => Int) attempts: number;
  @Field(() => GraphQLISODateTime) nextAttemptAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
  @Field() detail: string;
  @Field(() => JsonScalar, {
    description:
      'The gates that were checked, how long each held the message, and how much of a cap was used.',
  })
  facts: unknown;
}

const WaitKindEnum = graphqlEnum('TripWaitKind', WAIT_KINDS, 'What a trip is waiting for.');

@ObjectType('TripWait', { description: 'What a trip is waiting for.' })
export class TripWaitType {
  @Field(() => WaitKindEnum) kind: WaitKind;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Null if unknown.' })
  until: Date | null;
  @Field() detail: string;
}

@ObjectType('TripEnd', { description: 'Why a trip ended.' })
export class TripEndType {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field({ description: REASON }) reason: string;
  @Field() detail: string;
}

@ObjectType('TripExplanation', { description: 'The current state of a trip and how it got there.' })
export class TripExplanationType {
  @Field(() => ID) tripId: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int) flowVersion: number;
  @Field(() => ID) contactId: string;
  @Field(() => TripStatusEnum) status: TripStatus;
  @Field(() => [TripDecisionType], { description: 'In chronological order.' })
  decisions: readonly TripDecisionType[];
  @Field(() => [TripMessageType], { description: 'In the order they were created.' })
  messages: readonly TripMessageType[];
  @Field(() => TripWaitType, { nullable: true, description: 'Null if the trip has ended.' })
  waitsFor: TripWaitType | null;
  @Field(() => TripEndType, { nullable: true, description: 'Null while the trip is in flight.' })
  end: TripEndType | null;
}

const SilenceCheckEnum = graphqlEnum('SilenceCheck', SILENCE_CHECKS, 'The question that was checked.');

@ObjectType('SilenceFinding', { description: 'The answer to one check about a contact and a flow.' })
export class SilenceFindingType {
  @Field(() => SilenceCheckEnum) check: SilenceCheck;
  @Field({ description: 'Whether this kept the contact from entering the flow or receiving mail.' })
  isAgainst: boolean;
  @Field({ description: REASON }) reason: string;
  @Field() detail: string;
  @Field(() => GraphQLISODateTime, { nullable: true }) at: Date | null;
  @Field(() => ID, { nullable: true, description: 'The event that was checked. Null if there is none.' })
  eventId: string | null;
  @Field(() => ID, { nullable: true, description: 'The trip it concerns. Null if there is none.' }) tripId:
    string | null;
  @Field(() => String, { nullable: true }) stepPath: string | null;
  @Field(() => JsonScalar) facts: unknown;
}

@ObjectType('SilenceExplanation', {
  description: 'Why a contact did not enter a flow or received no mail.',
})
export class SilenceExplanationType {
  @Field(() => String, {
    nullable: true,
    description: 'Reason of the first finding that kept the contact out. Null if there is none.',
  })
  reason: string | null;
  @Field() detail: string;
  @Field(() => [SilenceFindingType], {
    description:
      'Findings about the contact’s latest events come first, then about the contact and flow, then about its ' +
      'trips.',
  })
  findings: readonly SilenceFindingType[];
}

export function tripExplanationType({ trip, explanation }: ExplainedTrip): TripExplanationType {
  const { id: tripId, flowId, flowVersion, contactId, status } = trip;
  return { tripId, flowId, flowVersion, contactId, status, ...explanation };
}

export function silenceExplanationType(explanation: SilenceExplanation): SilenceExplanationType {
  return explanation;
}
