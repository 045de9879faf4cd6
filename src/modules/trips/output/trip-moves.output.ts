/** Manual actions on trips, and trips that need one, in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { MOVE_KINDS, type MoveKind } from '../domain/trip-move.js';
import { TRIP_STATUSES, type TripStatus } from '../domain/trip-transitions.js';
import { TripStatusEnum } from '../input/trip-list.input.js';
import { TripWaitOutput } from './explanation.output.js';

const MoveKindEnum = graphqlEnum('TripMoveKind', MOVE_KINDS, 'A manual action on a trip.');

@Output({ graphql: 'RefusedTrip' })
class RefusedTripOutput {
  @Out('ID') tripId: string;
  @Out('String', { description: 'The reason, as a stable code.' }) code: string;
}

@Output({ graphql: 'MovedTrips', description: 'The result of a manual action on trips.' })
export class MovedTripsOutput {
  @Out('Int') moved: number;
  @Out([RefusedTripOutput]) refused: readonly RefusedTripOutput[];
  @Out('Int', { description: 'Trips of the flow not processed by this call, counted up to 10,000.' })
  left: number;
}

@Output({ graphql: 'TripMove', description: 'A manual action on a trip.' })
export class TripMoveOutput {
  @Out('ID') id: string;
  @Out('ID') tripId: string;
  @Out('ID') flowId: string;
  @Out('Int', { description: 'ID of the step the trip was at, or that was repeated.' })
  stepId: number;
  @Out(oneOf(MOVE_KINDS, MoveKindEnum)) kind: MoveKind;
  @Out('String', { description: 'A member ID, or `api_key:` followed by a key ID.' }) movedBy: string;
  @Out('DateTime') movedAt: Date;
}

export const TripMoveConnection = connection('TripMove', TripMoveOutput);

@Output({ graphql: 'StuckTrip', description: 'A trip in flight that nothing will wake.' })
export class StuckTripOutput {
  @Out('ID') id: string;
  @Out('ID') flowId: string;
  @Out(oneOf(TRIP_STATUSES, TripStatusEnum)) status: TripStatus;
  @Out('Int', { description: 'ID of the last step taken. 0 before the first.' })
  lastStep: number;
  @Out('DateTime') startedAt: Date;
  @Out(TripWaitOutput) waitsFor: TripWaitOutput;
}

export const StuckTripConnection = connection('StuckTrip', StuckTripOutput);
