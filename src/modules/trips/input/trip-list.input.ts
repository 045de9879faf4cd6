/** Which trips are listed, section 4.2: of a flow in REST, of the environment in GraphQL. */
import { OneOf, Sought, Uuid } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs } from '../../../platform/input/page.input.js';
import { TRIP_STATUSES } from '../domain/trip-transitions.js';

@Input({})
export class TripListQuery {
  @Limit(50, 200) limit: number;
  @Offset() offset: number;
  @OneOf(TRIP_STATUSES, { optional: true }) status?: string;
}

@Arguments()
export class TripsArgs extends PageArgs {
  @Uuid({ optional: true }) flowId?: string;
  @Uuid({ optional: true }) contactId?: string;
  @Sought({ optional: true }) status?: string;
}
