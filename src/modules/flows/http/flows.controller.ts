/** REST endpoints that create, read and change flows, section 4.2. */
import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { assertMayCheckAddresses } from '../domain/address-checks.js';
import { FlowService } from '../application/flow.service.js';
import {
  CreateFlowInput,
  flowSettingsOf,
  FlowSettingsBody,
  flowUpdateOf,
  newFlowOf,
  UpdateFlowInput,
} from '../input/flow.input.js';
import { flowFilterOf, FlowListQuery } from '../input/flow-list.input.js';
import { FlowListOutput, FlowOutput } from '../output/flow.output.js';

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/flows')
export class FlowsController {
  constructor(private readonly flows: FlowService) {}

  @Get()
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List flows, most recently updated first, with counts by status' })
  @ApiOkResponse({ type: FlowListOutput })
  @ApiErrors('invalid_field')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: FlowListQuery): Promise<object> {
    const { limit, offset, ...filter } = query;
    const page = { limit, offset };
    const list = await this.flows.list(scopeOf(principal), flowFilterOf(filter), page);
    return restOf(FlowListOutput, { ...list, ...page });
  }

  @Post()
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Create a flow as a draft with version 1' })
  @ApiCreatedResponse({ type: FlowOutput })
  @ApiErrors(
    'validation_error',
    'invalid_event_name',
    'invalid_field',
    'plan_limit_reached',
    'segment_not_found',
  )
  async create(@CurrentPrincipal() principal: Principal, @Body() input: CreateFlowInput): Promise<object> {
    const [plan, flow] = [planOf(principal.plan), newFlowOf(input, 'body')];
    assertMayCheckAddresses(principal, flow.steps);
    return restOf(FlowOutput, await this.flows.create(scopeOf(principal), plan, flow, actorOf(principal)));
  }

  @Get(':id')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Retrieve a flow' })
  @ApiOkResponse({ type: FlowOutput })
  @ApiErrors('flow_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(FlowOutput, await this.flows.get(scopeOf(principal), id));
  }

  @Put(':id')
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Update a flow; the previous state is saved as a version, and trips in flight continue on it',
    description: 'New steps of an active flow need templates that can be sent, as for activation.',
  })
  @ApiOkResponse({ type: FlowOutput })
  @ApiErrors(
    'validation_error',
    'invalid_event_name',
    'invalid_field',
    'flow_not_found',
    'segment_not_found',
    'template_errors',
  )
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: UpdateFlowInput,
  ): Promise<object> {
    const { update, changeSummary } = flowUpdateOf(input, 'body');
    assertMayCheckAddresses(principal, update.steps);
    const note = { changedBy: actorOf(principal), changeSummary };
    return restOf(FlowOutput, await this.flows.update(scopeOf(principal), id, update, note));
  }

  @Put(':id/settings')
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Replace the settings of a flow; does not create a version' })
  @ApiOkResponse({ type: FlowOutput })
  @ApiErrors('validation_error', 'invalid_field', 'flow_not_found')
  async updateSettings(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: FlowSettingsBody,
  ): Promise<object> {
    const settings = flowSettingsOf(input.settings);
    return restOf(FlowOutput, await this.flows.updateSettings(scopeOf(principal), id, settings));
  }

  @Post(':id/duplicate')
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Duplicate a flow and its goals as a draft with version 1' })
  @ApiCreatedResponse({ type: FlowOutput })
  @ApiErrors('flow_not_found', 'plan_limit_reached')
  async duplicate(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    const plan = planOf(principal.plan);
    return restOf(FlowOutput, await this.flows.duplicate(scopeOf(principal), plan, id, actorOf(principal)));
  }
}
