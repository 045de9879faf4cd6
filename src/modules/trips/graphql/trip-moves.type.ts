/** GraphQL types for manual actions on trips, and for trips that need one. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { MOVE_KINDS, type MoveKind } from '../domain/trip-move.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { TripStatusEnum } from '../input/trip-list.input.js';
import { TripWaitType } from './explanation.type.js';

const MoveKindEnum = graphqlEnum('TripMoveKind', MOVE_KINDS, 'A manual action on a trip.');

@ObjectType('RefusedTrip')
export class RefusedTripType {
  @Field(() => ID) tripId: string;
  @Field({ description: 'The reason, as a stable code.' }) code: string;
}

@ObjectType('MovedTrips', { description: 'The result of a manual action on trips.' })
export class MovedTripsType {
  @Field(() => Int) moved: number;
  @Field(() => [RefusedTripType]) refused: readonly RefusedTripType[];
  @Field(() => Int, { description: 'Trips of the flow not processed by this call, counted up to 10,000.' })
  left: number;
}

@ObjectType('TripMove', { description: 'A manual action on a trip.' })
export class TripMoveType {
  @Field(() => ID) id: string;
  @Field(() => ID) tripId: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int, { description: 'ID of the step the trip was at, or that was repeated.' })
  stepId: number;
  @Field(() => MoveKindEnum) kind: MoveKind;
  @Field({ description: 'A member ID, or `api_key:` followed by a key ID.' }) movedBy: string;
  @Field(() => GraphQLISODateTime) movedAt: Date;
}

@ObjectType('TripMoveEdge')
export class TripMoveEdgeType extends edge<TripMoveType>(() => TripMoveType) {}

@ObjectType('TripMoveConnection')
export class TripMoveConnectionType extends connection(() => TripMoveEdgeType) {}

@ObjectType('StuckTrip', { description: 'A trip in flight that nothing will wake.' })
export class StuckTripType {
  @Field(() => ID) id: string;
  @Field(() => ID) flowId: string;
  @Field(() => TripStatusEnum) status: TripStatus;
  @Field(() => Int, { description: 'ID of the last step taken. 0 before the first.' })
  lastStep: number;
  @Field(() => GraphQLISODateTime) startedAt: Date;
  @Field(() => TripWaitType) waitsFor: TripWaitType;
}

@ObjectType('StuckTripEdge')
export class StuckTripEdgeType extends edge<StuckTripType>(() => StuckTripType) {}

@ObjectType('StuckTripConnection')
export class StuckTripConnectionType extends connection(() => StuckTripEdgeType) {}
