/** REST endpoint for a flow's conversions, section 4.2. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { DateRangeQuery } from '../../../platform/input/date-range.input.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { GoalConversionsService } from '../application/goal-conversions.service.js';
import { FlowConversionsOutput, flowConversionsOutput } from '../output/goal-conversions.output.js';

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/flows')
export class GoalConversionsController {
  constructor(private readonly conversions: GoalConversionsService) {}

  @Get(':id/goal-conversions')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Get conversions per goal among trips that entered the flow in the period' })
  @ApiOkResponse({ type: FlowConversionsOutput })
  @ApiErrors('flow_not_found', 'invalid_date_param', 'invalid_field')
  async ofFlow(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: DateRangeQuery,
  ): Promise<object> {
    const conversions = await this.conversions.ofFlow(scopeOf(principal), id, query);
    return restOf(FlowConversionsOutput, flowConversionsOutput(conversions));
  }
}
