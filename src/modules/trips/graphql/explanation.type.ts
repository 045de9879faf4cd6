/** The explanation of a trip, and of a silence, as the dashboard sees them. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { EmailLogStatusEnum } from '../../delivery/input/email-log-list.input.js';
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';
import type { ExplainedTrip } from '../application/trip-explanations.js';
import { DECISION_OUTCOMES, type DecisionOutcome } from '../domain/outcomes.js';
import { SILENCE_CHECKS, type SilenceCheck } from '../domain/silence-facts.js';
import type { SilenceExplanation } from '../domain/silence.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { WAIT_KINDS, type WaitKind } from '../domain/waiting.js';
import { TripStatusEnum } from '../input/trip-list.input.js';

const REASON = 'A code that does not change.';

const DecisionOutcomeEnum = graphqlEnum('TripDecisionOutcome', DECISION_OUTCOMES, 'What became of it.');

@ObjectType('TripDecision', { description: 'What was decided of a trip, or happened to it.' })
export class TripDecisionType {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field(() => Int, { nullable: true, description: 'Null for what is of no step.' }) stepId: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where the step stands in the trip’s version, such as `steps[2].branches[0].steps[1]`.',
  })
  stepPath: string | null;
  @Field(() => String, { nullable: true }) stepType: string | null;
  @Field(() => DecisionOutcomeEnum) outcome: DecisionOutcome;
  @Field(() => String, {
    nullable: true,
    description:
      'Which way a condition or a split has sent it: true, false, none, or the index of the branch or variant, from 0.',
  })
  way: string | null;
  @Field(() => String, { nullable: true, description: 'As the way is called, or what it asks.' })
  wayName: string | null;
  @Field({ description: REASON }) reason: string;
  @Field() detail: string;
  @Field(() => JsonScalar, {
    description:
      'What was seen, and what was asked. Values of the contact and its events, `values`, only for those who may read contacts.',
  })
  facts: unknown;
}

@ObjectType('TripMessage', { description: 'A message that a trip asked for.' })
export class TripMessageType {
  @Field(() => ID, { description: 'Of its email log.' }) id: string;
  @Field(() => Int) stepId: number;
  @Field(() => String, { nullable: true }) stepPath: string | null;
  @Field({ description: 'Whether it repeats, by a person’s wish, one that failed.' }) isRepetition: boolean;
  @Field() templateSlug: string;
  @Field(() => EmailLogStatusEnum) status: EmailLogStatus;
  @Field(() => String, { nullable: true }) errorCode: string | null;
  @Field(() => String, { nullable: true }) suppressedReason: string | null;
  @Field(() => String, { nullable: true, description: 'What holds it back while it is queued.' })
  heldBy: string | null;
  @Field(() => Int) attempts: number;
  @Field(() => GraphQLISODateTime) nextAttemptAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) sentAt: Date | null;
  @Field() detail: string;
  @Field(() => JsonScalar, {
    description: 'The gates that it was asked at, how long they held it back, what of a cap was used.',
  })
  facts: unknown;
}

const WaitKindEnum = graphqlEnum('TripWaitKind', WAIT_KINDS, 'What a trip waits for.');

@ObjectType('TripWait', { description: 'What a trip waits for now.' })
export class TripWaitType {
  @Field(() => WaitKindEnum) kind: WaitKind;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Null when nobody knows.' })
  until: Date | null;
  @Field() detail: string;
}

@ObjectType('TripEnd', { description: 'Why a trip is over.' })
export class TripEndType {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field({ description: REASON }) reason: string;
  @Field() detail: string;
}

@ObjectType('TripExplanation', { description: 'Why a trip is where it is.' })
export class TripExplanationType {
  @Field(() => ID) tripId: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int) flowVersion: number;
  @Field(() => ID) contactId: string;
  @Field(() => TripStatusEnum) status: TripStatus;
  @Field(() => [TripDecisionType], { description: 'In their order.' })
  decisions: readonly TripDecisionType[];
  @Field(() => [TripMessageType], { description: 'In the order in which they were asked for.' })
  messages: readonly TripMessageType[];
  @Field(() => TripWaitType, { nullable: true, description: 'Null when the trip is over.' })
  waitsFor: TripWaitType | null;
  @Field(() => TripEndType, { nullable: true, description: 'Null while the trip is under way.' })
  end: TripEndType | null;
}

const SilenceCheckEnum = graphqlEnum('SilenceCheck', SILENCE_CHECKS, 'What was asked.');

@ObjectType('SilenceFinding', { description: 'An answer to one question about a contact and a flow.' })
export class SilenceFindingType {
  @Field(() => SilenceCheckEnum) check: SilenceCheck;
  @Field({ description: 'Whether it kept the contact from being entered or mailed.' }) isAgainst: boolean;
  @Field({ description: REASON }) reason: string;
  @Field() detail: string;
  @Field(() => GraphQLISODateTime, { nullable: true }) at: Date | null;
  @Field(() => ID, { nullable: true, description: 'The event that was looked at.' }) eventId: string | null;
  @Field(() => ID, { nullable: true, description: 'The trip that it is about.' }) tripId: string | null;
  @Field(() => String, { nullable: true }) stepPath: string | null;
  @Field(() => JsonScalar) facts: unknown;
}

@ObjectType('SilenceExplanation', {
  description: 'Why a contact was not entered into a flow, or not mailed.',
})
export class SilenceExplanationType {
  @Field(() => String, { nullable: true, description: 'Of the first finding that stands against it.' })
  reason: string | null;
  @Field() detail: string;
  @Field(() => [SilenceFindingType], {
    description:
      'About the contact’s latest events first, then about contact and flow, then about its trips.',
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
