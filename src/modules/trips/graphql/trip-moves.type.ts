/** Trips moved by hand, and those that wait for it, as the dashboard sees them. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { MOVE_KINDS, type MoveKind } from '../domain/trip-move.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { TripStatusEnum } from '../input/trip-list.input.js';
import { TripWaitType } from './explanation.type.js';

const MoveKindEnum = graphqlEnum('TripMoveKind', MOVE_KINDS, 'What a person has done to a trip.');

@ObjectType('RefusedTrip')
export class RefusedTripType {
  @Field(() => ID) tripId: string;
  @Field({ description: 'Why, as a code that does not change.' }) code: string;
}

@ObjectType('MovedTrips', { description: 'What has become of trips that were to be moved.' })
export class MovedTripsType {
  @Field(() => Int) moved: number;
  @Field(() => [RefusedTripType]) refused: readonly RefusedTripType[];
  @Field(() => Int, { description: 'Trips of the flow that the call has not come to; of very many 10,000.' })
  left: number;
}

@ObjectType('TripMove', { description: 'That a person has moved a trip by hand.' })
export class TripMoveType {
  @Field(() => ID) id: string;
  @Field(() => ID) tripId: string;
  @Field(() => ID) flowId: string;
  @Field(() => Int, { description: 'The id of the step at which the trip stood, or that was done again.' })
  stepId: number;
  @Field(() => MoveKindEnum) kind: MoveKind;
  @Field({ description: 'A member’s id, or `api_key:` and that of a key.' }) movedBy: string;
  @Field(() => GraphQLISODateTime) movedAt: Date;
}

@ObjectType('TripMoveEdge')
export class TripMoveEdgeType extends edge<TripMoveType>(() => TripMoveType) {}

@ObjectType('TripMoveConnection')
export class TripMoveConnectionType extends connection(() => TripMoveEdgeType) {}

@ObjectType('StuckTrip', { description: 'A trip under way that nothing wakes by itself.' })
export class StuckTripType {
  @Field(() => ID) id: string;
  @Field(() => ID) flowId: string;
  @Field(() => TripStatusEnum) status: TripStatus;
  @Field(() => Int, { description: 'The id of the step that it took last; 0 before the first.' })
  lastStep: number;
  @Field(() => GraphQLISODateTime) startedAt: Date;
  @Field(() => TripWaitType) waitsFor: TripWaitType;
}

@ObjectType('StuckTripEdge')
export class StuckTripEdgeType extends edge<StuckTripType>(() => StuckTripType) {}

@ObjectType('StuckTripConnection')
export class StuckTripConnectionType extends connection(() => StuckTripEdgeType) {}
