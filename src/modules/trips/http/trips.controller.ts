/** REST endpoint for a flow's trips, section 4.2. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { TripService } from '../application/trip.service.js';
import { TripListQuery } from '../input/trip-list.input.js';
import { TripListOutput, tripOutput } from '../output/trip.output.js';

@ApiTags('flows')
@Controller('v1/flows')
export class TripsController {
  constructor(private readonly trips: TripService) {}

  @Get(':id/trips')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List the trips of a flow, newest first' })
  @ApiOkResponse({ type: TripListOutput })
  @ApiErrors('flow_not_found', 'invalid_field')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: TripListQuery,
  ): Promise<object> {
    const { limit, offset } = query;
    const { trips, total } = await this.trips.ofFlow(scopeOf(principal), id, query);
    const withAddresses = mayReadContacts(principal);
    return restOf(TripListOutput, {
      trips: trips.map((trip) => tripOutput(trip, withAddresses)),
      ...{ total, limit, offset },
    });
  }
}
