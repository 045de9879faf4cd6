/** REST endpoints for a flow's conversion goals, section 4.2. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { GoalService } from '../application/goal.service.js';
import {
  CreateGoalInput,
  goalChangesOf,
  newGoalOf,
  ReorderGoalsInput,
  UpdateGoalInput,
} from '../input/goal.input.js';
import { GoalOutput } from '../output/goal.output.js';

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/flows/:id/goals')
export class GoalsController {
  constructor(private readonly goals: GoalService) {}

  @Get()
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List the conversion goals of a flow, in order' })
  @ApiOkResponse({ type: [GoalOutput] })
  @ApiErrors('flow_not_found')
  async list(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object[]> {
    const goals = await this.goals.list(scopeOf(principal), id);
    return goals.map((goal) => restOf(GoalOutput, goal));
  }

  @Post()
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Add a goal at the end; a flow has at most 50 goals, and one per event' })
  @ApiCreatedResponse({ type: GoalOutput })
  @ApiErrors(
    'validation_error',
    'invalid_event_name',
    'invalid_field',
    'flow_not_found',
    'goal_event_name_conflict',
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: CreateGoalInput,
  ): Promise<object> {
    return restOf(GoalOutput, await this.goals.create(scopeOf(principal), id, newGoalOf(input, 'body')));
  }

  @Put('reorder')
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Reorder the goals of a flow' })
  @ApiOkResponse({ type: [GoalOutput] })
  @ApiErrors('validation_error', 'invalid_field', 'flow_not_found')
  async reorder(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { goalIds }: ReorderGoalsInput,
  ): Promise<object[]> {
    const goals = await this.goals.reorder(scopeOf(principal), id, goalIds);
    return goals.map((goal) => restOf(GoalOutput, goal));
  }

  @Put(':goal_id')
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Update a goal; omitted fields do not change' })
  @ApiOkResponse({ type: GoalOutput })
  @ApiErrors(
    'validation_error',
    'invalid_event_name',
    'invalid_field',
    'flow_not_found',
    'goal_not_found',
    'goal_event_name_conflict',
  )
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('goal_id') goalId: string,
    @Body() input: UpdateGoalInput,
  ): Promise<object> {
    const changes = goalChangesOf(input, 'body');
    return restOf(GoalOutput, await this.goals.update(scopeOf(principal), id, goalId, changes));
  }

  @Delete(':goal_id')
  @HttpCode(204)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Delete a goal; later goals move up' })
  @ApiNoContentResponse()
  @ApiErrors('flow_not_found', 'goal_not_found')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('goal_id') goalId: string,
  ): Promise<void> {
    await this.goals.remove(scopeOf(principal), id, goalId);
  }
}
