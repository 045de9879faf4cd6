/** REST of reports, section 4.4: making, reading and changing them. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportService } from '../application/report.service.js';
import { viewerOf } from '../domain/report-access.js';
import {
  CreateReportInput,
  reportChangeOf,
  reportContentOf,
  UpdateReportInput,
} from '../input/report.input.js';
import { ReportListQuery, reportSortOf } from '../input/report-list.input.js';
import { presentReport, presentReportList, ReportListResponse, ReportResponse } from './report.presenter.js';

const READ = { permission: 'analytics:read', keyScopes: ['reporting'] } as const;
const WRITE = { ...READ, isWriting: true } as const;

@ApiTags('reports')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/reports')
export class ReportsController {
  constructor(private readonly reports: ReportService) {}

  @Get()
  @Requires(READ)
  @ApiOperation({
    summary: 'Reports of the workspace, and one’s own; the first list makes the template reports',
    description:
      'Template reports and those of the workspace are listed for everybody, private ones for whoever made them; ' +
      'those of API keys for all keys. They are the same in both environments.',
  })
  @ApiOkResponse({ type: ReportListResponse })
  @ApiErrors('invalid_field')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ReportListQuery,
  ): Promise<ReportListResponse> {
    const { sortBy, sortDir, limit, offset, ...filter } = query;
    const order = { sortBy: reportSortOf(sortBy), sortDir };
    const page = { limit, offset };
    return presentReportList(await this.reports.list(viewerOf(principal), filter, order, page), page);
  }

  @Post()
  @Requires(WRITE)
  @ApiOperation({ summary: 'Create a report, of which the name alone is required' })
  @ApiCreatedResponse({ type: ReportResponse })
  @ApiErrors('validation_error', 'invalid_field', 'workspace_suspended')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CreateReportInput,
  ): Promise<ReportResponse> {
    return presentReport(await this.reports.create(viewerOf(principal), reportContentOf(input)));
  }

  @Get(':id')
  @Requires(READ)
  @ApiOperation({ summary: 'One report; sets when it was last viewed' })
  @ApiOkResponse({ type: ReportResponse })
  @ApiErrors('report_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ReportResponse> {
    return presentReport(await this.reports.view(viewerOf(principal), id));
  }

  @Put(':id')
  @Requires(WRITE)
  @ApiOperation({
    summary: 'Change a report: what is left out stays, a config is replaced as a whole',
    description:
      'A report of the workspace is changed, deleted, shared and scheduled by who made it, the owner and admins.',
  })
  @ApiOkResponse({ type: ReportResponse })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'template_report_read_only',
    'insufficient_role',
    'report_not_found',
    'workspace_suspended',
  )
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: UpdateReportInput,
  ): Promise<ReportResponse> {
    return presentReport(await this.reports.update(viewerOf(principal), id, reportChangeOf(input)));
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Delete a report for good, with its link and its schedule' })
  @ApiNoContentResponse({ description: 'The report is gone.' })
  @ApiErrors('template_report_read_only', 'insufficient_role', 'report_not_found', 'workspace_suspended')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.reports.remove(viewerOf(principal), id);
  }

  @Post(':id/duplicate')
  @Requires(WRITE)
  @ApiOperation({ summary: 'Copy a report: a private one, without its link and its schedule' })
  @ApiCreatedResponse({ type: ReportResponse })
  @ApiErrors('invalid_field', 'report_not_found', 'workspace_suspended')
  async duplicate(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<ReportResponse> {
    return presentReport(await this.reports.duplicate(viewerOf(principal), id));
  }
}
