/** Which trips to list, section 4.2: of a flow in REST, of the environment in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { OneOf, Uuid } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs } from '../../../platform/input/page.input.js';
import { TRIP_STATUSES, type TripStatus } from '../domain/trip-transitions.js';

export const TripStatusEnum = graphqlEnum('TripStatus', TRIP_STATUSES, 'The status of a trip.');

@Input({})
export class TripListQuery {
  @Limit(50, 200) limit: number;
  @Offset() offset: number;
  @OneOf(TRIP_STATUSES, { optional: true }) status?: TripStatus;
}

@Arguments()
export class TripsArgs extends PageArgs {
  @Uuid({ optional: true }) flowId?: string;
  @Uuid({ optional: true }) contactId?: string;
  @OneOf(TRIP_STATUSES, { optional: true, enumType: TripStatusEnum }) status?: TripStatus;
}
