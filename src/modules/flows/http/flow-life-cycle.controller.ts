/** REST endpoints that activate, pause, stop, archive and unarchive flows, sections 3.2 and 4.2. */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { snakeCase } from '../../../kernel/letter-case.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { nonEmpty, restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { GATE_ERRORS } from '../../inspect/http/gate-errors.js';
import { OverrideTokensInput, tokensOf } from '../../inspect/input/override.input.js';
import { FlowLifeCycle } from '../application/flow-life-cycle.js';
import { stepWarnings } from '../domain/step-warnings.js';
import { ActivatedFlowOutput, FlowOutput } from '../output/flow.output.js';

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/flows/:id')
export class FlowLifeCycleController {
  constructor(private readonly flows: FlowLifeCycle) {}

  @Post('activate')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Activate a draft, paused or stopped flow if all of its templates can be sent',
    description:
      'If the workspace sets blocking to `block`, open critical findings in the flow’s templates prevent ' +
      'activation unless override tokens are given. With `warn`, they are returned as warnings.',
  })
  @ApiOkResponse({ type: ActivatedFlowOutput })
  @ApiErrors('validation_error', 'invalid_field', 'flow_not_found', 'template_errors', ...GATE_ERRORS)
  async activate(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: OverrideTokensInput,
  ): Promise<object> {
    const call = { tokens: tokensOf(input) };
    const { result, warnings } = await this.flows.activate(scopeOf(principal), id, call);
    return restOf(ActivatedFlowOutput, {
      ...result,
      warnings: nonEmpty(warnings),
      stepWarnings: nonEmpty(stepWarnings(result, snakeCase)),
    });
  }

  @Post('pause')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Pause an active flow; no new trips start, trips in flight continue' })
  @ApiOkResponse({ type: FlowOutput })
  @ApiErrors('validation_error', 'flow_not_found')
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(FlowOutput, await this.flows.pause(scopeOf(principal), id));
  }

  @Post('stop')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Stop an active flow; the state is saved as a version and all trips end immediately',
  })
  @ApiOkResponse({ type: FlowOutput })
  @ApiErrors('validation_error', 'flow_not_found')
  async stop(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(FlowOutput, await this.flows.stop(scopeOf(principal), id, actorOf(principal)));
  }
}
