/** GraphQL type of a trip. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import type { ShownTrip } from '../application/trip.service.js';
import { BEFORE_FIRST_STEP } from '../domain/trip-path.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { TripStatusEnum } from '../input/trip-list.input.js';

@ObjectType('Trip')
export class TripType {
  @Field(() => ID) id: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int) flowVersion: number;
  @Field(() => ID) contactId: string;
  @Field(() => TripStatusEnum) status: TripStatus;
  @Field(() => Int, {
    description:
      'Index of the flow’s step at which the trip resumes or which it is in. Equals the number of steps when ' +
      'the trip is completed.',
  })
  currentStep: number;

  @Field(() => Int, {
    nullable: true,
    description: 'ID of the last step taken, in the trip’s version of the flow. Null before the first.',
  })
  lastStepId: number | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) resumeAt: Date | null;
  @Field(() => GraphQLISODateTime) startedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) completedAt: Date | null;
  @Field(() => String, { nullable: true }) endedReason: string | null;
}

@ObjectType('TripEdge')
export class TripEdgeType extends edge<TripType>(() => TripType) {}

@ObjectType('TripConnection')
export class TripConnectionType extends connection(() => TripEdgeType) {
  @Field(() => Int) totalCount: number;
}

export function tripType(trip: ShownTrip): TripType {
  return {
    id: trip.id,
    flowId: trip.flowId,
    flowVersion: trip.flowVersion,
    contactId: trip.contactId,
    status: trip.status,
    currentStep: trip.currentStep,
    lastStepId: trip.lastStep === BEFORE_FIRST_STEP ? null : trip.lastStep,
    resumeAt: trip.resumeAt,
    startedAt: trip.startedAt,
    completedAt: trip.completedAt,
    endedReason: trip.endedReason,
  };
}
