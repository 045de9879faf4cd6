/** REST of analyses, section 4.4: questions, though they are posted, so a suspended workspace may ask them. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportAnalysesService } from '../application/report-analyses.service.js';
import {
  CohortInput,
  CompareFlowsInput,
  FlowGroupsInput,
  FunnelInput,
  membersOf,
  returnsOf,
  tagsOf,
} from '../input/report-analyses.input.js';
import {
  CohortResponse,
  FlowComparisonResponse,
  FlowGroupsResponse,
  FunnelResponse,
  presentCohorts,
  presentComparison,
  presentFunnel,
  presentGroups,
} from './report-analyses.presenter.js';

@ApiTags('reports')
@ApiErrors('missing_permission', 'insufficient_scope', 'invalid_date_param', 'invalid_field')
@Controller('v1/reports')
export class ReportAnalysesController {
  constructor(private readonly analyses: ReportAnalysesService) {}

  @Post('funnel')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'How many messages, or trips through a flow, came to which stage',
    description:
      'email: messages that were sent in the period, and what became of them since. flow: trips that entered in the period, ' +
      'the steps of the current version that they came to, those that completed, and those that came to each goal.',
  })
  @ApiOkResponse({ type: FunnelResponse })
  @ApiErrors('validation_error', 'flow_not_found', 'campaign_not_found', 'template_not_found')
  async funnel(
    @CurrentPrincipal() principal: Principal,
    @Body() input: FunnelInput,
  ): Promise<FunnelResponse> {
    const { type, flowId = '' } = input;
    const scope = scopeOf(principal);
    return presentFunnel(
      type === 'email'
        ? await this.analyses.emailFunnel(scope, input, input)
        : await this.analyses.flowFunnel(scope, flowId, input),
    );
  }

  @Post('cohort')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'Who began in the same period, and how many of them were active in each period from there',
    description:
      'A cohort for each calendar period of UTC that the range touches. Whoever began several times belongs to the first ' +
      'in the range.',
  })
  @ApiOkResponse({ type: CohortResponse })
  @ApiErrors('validation_error', 'flow_not_found', 'work_too_costly', 'service_unavailable')
  async cohort(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CohortInput,
  ): Promise<CohortResponse> {
    const { period, periods } = input;
    const asked = { members: membersOf(input), returns: returnsOf(input), period, periods };
    return presentCohorts(await this.analyses.cohort(scopeOf(principal), asked, input));
  }

  @Post('compare-flows')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({ summary: 'How two to four flows do, side by side' })
  @ApiOkResponse({ type: FlowComparisonResponse })
  @ApiErrors('validation_error', 'too_short', 'too_long', 'flow_not_found')
  async compareFlows(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CompareFlowsInput,
  ): Promise<FlowComparisonResponse> {
    return presentComparison(await this.analyses.compare(scopeOf(principal), input.flowIds, input));
  }

  @Post('flow-groups')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'How flows do by the tags that they have now',
    description:
      'A flow with several tags counts in several groups. An archived flow counts where trips entered it, or messages of it ' +
      'were sent, in the period.',
  })
  @ApiOkResponse({ type: FlowGroupsResponse })
  @ApiErrors('validation_error')
  async flowGroups(
    @CurrentPrincipal() principal: Principal,
    @Body() input: FlowGroupsInput,
  ): Promise<FlowGroupsResponse> {
    return presentGroups(await this.analyses.groups(scopeOf(principal), tagsOf(input), input));
  }
}
