/**
 * REST endpoints of analyses, section 4.4. They are POST requests but read-only, so a suspended workspace may call
 * them.
 */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
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
  CohortReportOutput,
  FlowComparisonOutput,
  FlowGroupsOutput,
  FunnelOutput,
} from '../output/report-analyses.output.js';

@ApiTags('reports')
@ApiErrors('missing_permission', 'insufficient_scope', 'invalid_date_param', 'invalid_field')
@Controller('v1/reports')
export class ReportAnalysesController {
  constructor(private readonly analyses: ReportAnalysesService) {}

  @Post('funnel')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'Count how many messages, or trips through a flow, reached each stage',
    description:
      'email: messages sent in the period and their outcomes so far. flow: trips that entered in the period, ' +
      'the steps of the current version they reached, and how many completed or reached each goal.',
  })
  @ApiOkResponse({ type: FunnelOutput })
  @ApiErrors('validation_error', 'flow_not_found', 'campaign_not_found', 'template_not_found')
  async funnel(@CurrentPrincipal() principal: Principal, @Body() input: FunnelInput): Promise<object> {
    const { type, flowId = '' } = input;
    const scope = scopeOf(principal);
    return restOf(
      FunnelOutput,
      type === 'email'
        ? await this.analyses.emailFunnel(scope, input, input)
        : await this.analyses.flowFunnel(scope, flowId, input),
    );
  }

  @Post('cohort')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary:
      'Group people by the period in which they started and count how many were active in each following period',
    description:
      'Returns one cohort for each calendar period (UTC) in the range. A person who started more than once ' +
      'belongs to the first cohort in the range.',
  })
  @ApiOkResponse({ type: CohortReportOutput })
  @ApiErrors('validation_error', 'flow_not_found', 'work_too_costly', 'service_unavailable')
  async cohort(@CurrentPrincipal() principal: Principal, @Body() input: CohortInput): Promise<object> {
    const { period, periods } = input;
    const request = { members: membersOf(input), returns: returnsOf(input), period, periods };
    return restOf(CohortReportOutput, await this.analyses.cohort(scopeOf(principal), request, input));
  }

  @Post('compare-flows')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({ summary: 'Compare two to four flows' })
  @ApiOkResponse({ type: FlowComparisonOutput })
  @ApiErrors('validation_error', 'too_short', 'too_long', 'flow_not_found')
  async compareFlows(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CompareFlowsInput,
  ): Promise<object> {
    return restOf(
      FlowComparisonOutput,
      await this.analyses.compare(scopeOf(principal), input.flowIds, input),
    );
  }

  @Post('flow-groups')
  @HttpCode(200)
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'Compare flows grouped by their current tags',
    description:
      'A flow with several tags counts in several groups. An archived flow counts if trips entered it or its ' +
      'messages were sent in the period.',
  })
  @ApiOkResponse({ type: FlowGroupsOutput })
  @ApiErrors('validation_error')
  async flowGroups(
    @CurrentPrincipal() principal: Principal,
    @Body() input: FlowGroupsInput,
  ): Promise<object> {
    return restOf(FlowGroupsOutput, await this.analyses.groups(scopeOf(principal), tagsOf(input), input));
  }
}
