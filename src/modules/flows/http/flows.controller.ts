/** REST of flows, section 4.2. */
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { FlowService } from '../application/flow.service.js';
import { CreateFlowInput, newFlowOf } from '../input/flow.input.js';
import { flowFilterOf, FlowListQuery } from '../input/flow-list.input.js';
import { FlowListResponse, FlowResponse, presentFlow, presentFlowList } from './flow.presenter.js';

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/flows')
export class FlowsController {
  constructor(private readonly flows: FlowService) {}

  @Get()
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Flows, the most recently updated first, with counts by status' })
  @ApiOkResponse({ type: FlowListResponse })
  @ApiErrors('invalid_field')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: FlowListQuery,
  ): Promise<FlowListResponse> {
    const { limit, offset, ...filter } = query;
    const page = { limit, offset };
    return presentFlowList(await this.flows.list(scopeOf(principal), flowFilterOf(filter), page), page);
  }

  @Post()
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Create a flow: a draft of version 1' })
  @ApiCreatedResponse({ type: FlowResponse })
  @ApiErrors('validation_error', 'invalid_event_name', 'invalid_field', 'plan_limit_reached')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CreateFlowInput,
  ): Promise<FlowResponse> {
    const [plan, flow] = [planOf(principal.plan), newFlowOf(input, 'body')];
    return presentFlow(await this.flows.create(scopeOf(principal), plan, flow, actorOf(principal)));
  }

  @Get(':id')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'One flow' })
  @ApiOkResponse({ type: FlowResponse })
  @ApiErrors('flow_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<FlowResponse> {
    return presentFlow(await this.flows.get(scopeOf(principal), id));
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Activate a draft, paused or stopped flow, once all of its templates can be sent',
  })
  @ApiOkResponse({ type: FlowResponse })
  @ApiErrors('validation_error', 'flow_not_found', 'template_errors')
  async activate(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<FlowResponse> {
    return presentFlow(await this.flows.activate(scopeOf(principal), id));
  }

  @Post(':id/pause')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Pause an active flow: no new trips, those in flight go on' })
  @ApiOkResponse({ type: FlowResponse })
  @ApiErrors('validation_error', 'flow_not_found')
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<FlowResponse> {
    return presentFlow(await this.flows.pause(scopeOf(principal), id));
  }

  @Post(':id/stop')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Stop an active flow: it is kept as a version, and all of its trips end at once' })
  @ApiOkResponse({ type: FlowResponse })
  @ApiErrors('validation_error', 'flow_not_found')
  async stop(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<FlowResponse> {
    return presentFlow(await this.flows.stop(scopeOf(principal), id, actorOf(principal)));
  }
}
