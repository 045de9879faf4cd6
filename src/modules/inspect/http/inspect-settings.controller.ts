/** REST of quality analysis, section 4.7: credits and config, for members only. */
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { InspectConfigs } from '../application/inspect-configs.js';
import { InspectCredits } from '../application/inspect-credits.js';
import { InspectConfigInput } from '../input/inspect-config.input.js';
import { InspectConfigOutput, InspectCreditsOutput } from '../output/inspect-settings.output.js';

@ApiTags('inspect')
@ApiErrors('missing_permission', 'control_plane_only')
@Controller('v1/inspect')
export class InspectSettingsController {
  constructor(
    private readonly credits: InspectCredits,
    private readonly configs: InspectConfigs,
  ) {}

  @Get('credits')
  @Requires({ permission: 'inspect:read' })
  @ApiOperation({ summary: 'Get the remaining credits of this month and how credits were spent' })
  @ApiOkResponse({ type: InspectCreditsOutput })
  async account(@CurrentPrincipal() principal: Principal): Promise<object> {
    return restOf(
      InspectCreditsOutput,
      await this.credits.account(scopeOf(principal), planOf(principal.plan)),
    );
  }

  @Get('config')
  @Requires({ permission: 'inspect:read' })
  @ApiOperation({ summary: 'Get the quality analysis settings of the workspace' })
  @ApiOkResponse({ type: InspectConfigOutput })
  async config(@CurrentPrincipal() principal: Principal): Promise<object> {
    return restOf(InspectConfigOutput, await this.configs.get(scopeOf(principal)));
  }

  @Put('config')
  @Requires({ permission: 'inspect:write' })
  @ApiOperation({ summary: 'Update the quality analysis settings; omitted fields do not change' })
  @ApiOkResponse({ type: InspectConfigOutput })
  @ApiErrors('validation_error', 'invalid_field', 'workspace_suspended')
  async change(@CurrentPrincipal() principal: Principal, @Body() input: InspectConfigInput): Promise<object> {
    return restOf(InspectConfigOutput, await this.configs.change(scopeOf(principal), input));
  }
}
