/** REST of quality analysis, section 4.7: runs and their findings, for members only. */
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { InspectFindings } from '../application/inspect-findings.js';
import { InspectRuns } from '../application/inspect-runs.js';
import {
  FindingListQuery,
  MarkFalsePositiveInput,
  MarkFixedInput,
  RunInspectionInput,
  runRequestOf,
  SnoozeFindingInput,
} from '../input/inspect-run.input.js';
import { FindingListOutput, FindingOutput } from '../output/inspect-finding.output.js';
import {
  InspectJobWithScreenshotsOutput,
  jobOutput,
  QueuedInspectionOutput,
  queuedInspectionOutput,
} from '../output/inspect-job.output.js';

@ApiTags('inspect')
@ApiErrors('missing_permission', 'control_plane_only')
@Controller('v1/inspect')
export class InspectController {
  constructor(
    private readonly runs: InspectRuns,
    private readonly findings: InspectFindings,
  ) {}

  @Post()
  @HttpCode(202)
  @Requires({ permission: 'inspect:write' })
  @ApiOperation({
    summary: 'Start a quality analysis of a template in its current version',
    description: 'Returns once the run is queued. A full run costs one credit per template version.',
  })
  @ApiAcceptedResponse({ type: QueuedInspectionOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'template_not_found',
    'contact_not_found',
    'plan_limit_reached',
    'rate_limit_exceeded',
    'workspace_suspended',
  )
  async run(@CurrentPrincipal() principal: Principal, @Body() input: RunInspectionInput): Promise<object> {
    const request = runRequestOf(input);
    const plan = planOf(principal.plan);
    const run = await this.runs.request(scopeOf(principal), plan, request, actorOf(principal));
    return restOf(QueuedInspectionOutput, queuedInspectionOutput(run));
  }

  @Get(':job_id')
  @Requires({ permission: 'inspect:read' })
  @ApiOperation({ summary: 'Retrieve a run with its status and summary' })
  @ApiOkResponse({ type: InspectJobWithScreenshotsOutput })
  @ApiErrors('inspect_job_not_found')
  async job(@CurrentPrincipal() principal: Principal, @Param('job_id') jobId: string): Promise<object> {
    return restOf(InspectJobWithScreenshotsOutput, jobOutput(await this.runs.get(scopeOf(principal), jobId)));
  }

  @Get(':job_id/findings')
  @Requires({ permission: 'inspect:read' })
  @ApiOperation({ summary: 'List the findings of a run, most severe first' })
  @ApiOkResponse({ type: FindingListOutput })
  @ApiErrors('invalid_field', 'inspect_job_not_found')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('job_id') jobId: string,
    @Query() { limit, offset, ...filter }: FindingListQuery,
  ): Promise<object> {
    const page = { limit, offset };
    const { findings, total } = await this.findings.page(scopeOf(principal), jobId, filter, page);
    return restOf(FindingListOutput, { findings, total, ...page });
  }

  @Post('findings/:id/snooze')
  @HttpCode(200)
  @Requires({ permission: 'inspect:write' })
  @ApiOperation({ summary: 'Snooze a finding for a number of days, including in later runs' })
  @ApiOkResponse({ type: FindingOutput })
  @ApiErrors('validation_error', 'invalid_field', 'finding_not_found', 'workspace_suspended')
  async snooze(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { days, reason }: SnoozeFindingInput,
  ): Promise<object> {
    const request = { status: 'snoozed', days, reason: reason ?? null } as const;
    const finding = await this.findings.mark(scopeOf(principal), id, request, actorOf(principal));
    return restOf(FindingOutput, finding);
  }

  @Post('findings/:id/mark-fixed')
  @HttpCode(200)
  @Requires({ permission: 'inspect:write' })
  @ApiOperation({ summary: 'Mark a finding as fixed; it reopens if a later run finds it again' })
  @ApiOkResponse({ type: FindingOutput })
  @ApiErrors('finding_not_found', 'workspace_suspended')
  async markFixed(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() _input: MarkFixedInput,
  ): Promise<object> {
    const request = { status: 'fixed', reason: null } as const;
    const finding = await this.findings.mark(scopeOf(principal), id, request, actorOf(principal));
    return restOf(FindingOutput, finding);
  }

  @Post('findings/:id/mark-false-positive')
  @HttpCode(200)
  @Requires({ permission: 'inspect:write' })
  @ApiOperation({ summary: 'Mark a finding as a false positive, including in later runs' })
  @ApiOkResponse({ type: FindingOutput })
  @ApiErrors('invalid_field', 'finding_not_found', 'workspace_suspended')
  async markFalsePositive(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { reason }: MarkFalsePositiveInput,
  ): Promise<object> {
    const request = { status: 'false_positive', reason: reason ?? null } as const;
    const finding = await this.findings.mark(scopeOf(principal), id, request, actorOf(principal));
    return restOf(FindingOutput, finding);
  }
}
