/** REST endpoints that create, read and change reports, section 4.4. */
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
import { restOf } from '../../../platform/output/output-class.js';
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
import { ReportOutput, ReportPageOutput } from '../output/report.output.js';

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
    summary:
      'List reports of the workspace and the caller’s private reports; the first call creates the template ' +
      'reports',
    description:
      'Template and workspace reports are listed for everyone, private reports only for the member who created ' +
      'them. Reports created with an API key are listed for all keys. Reports are shared by both environments.',
  })
  @ApiOkResponse({ type: ReportPageOutput })
  @ApiErrors('invalid_field')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: ReportListQuery): Promise<object> {
    const { sortBy, sortDir, limit, offset, ...filter } = query;
    const order = { sortBy: reportSortOf(sortBy), sortDir };
    const page = { limit, offset };
    const { reports, total } = await this.reports.list(viewerOf(principal), filter, order, page);
    return restOf(ReportPageOutput, { reports, total, ...page });
  }

  @Post()
  @Requires(WRITE)
  @ApiOperation({ summary: 'Create a report; only the name is required' })
  @ApiCreatedResponse({ type: ReportOutput })
  @ApiErrors('validation_error', 'invalid_field', 'workspace_suspended')
  async create(@CurrentPrincipal() principal: Principal, @Body() input: CreateReportInput): Promise<object> {
    return restOf(ReportOutput, await this.reports.create(viewerOf(principal), reportContentOf(input)));
  }

  @Get(':id')
  @Requires(READ)
  @ApiOperation({ summary: 'Retrieve a report and update when it was last viewed' })
  @ApiOkResponse({ type: ReportOutput })
  @ApiErrors('report_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(ReportOutput, await this.reports.view(viewerOf(principal), id));
  }

  @Put(':id')
  @Requires(WRITE)
  @ApiOperation({
    summary: 'Update a report; omitted fields do not change, config is replaced as a whole',
    description:
      'A workspace report can be changed, deleted, shared and scheduled by its creator, the owner and admins.',
  })
  @ApiOkResponse({ type: ReportOutput })
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
  ): Promise<object> {
    return restOf(ReportOutput, await this.reports.update(viewerOf(principal), id, reportChangeOf(input)));
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Delete a report permanently, with its share link and schedule' })
  @ApiNoContentResponse({ description: 'The report was deleted.' })
  @ApiErrors('template_report_read_only', 'insufficient_role', 'report_not_found', 'workspace_suspended')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.reports.remove(viewerOf(principal), id);
  }

  @Post(':id/duplicate')
  @Requires(WRITE)
  @ApiOperation({ summary: 'Duplicate a report as a private report without share link and schedule' })
  @ApiCreatedResponse({ type: ReportOutput })
  @ApiErrors('invalid_field', 'report_not_found', 'workspace_suspended')
  async duplicate(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(ReportOutput, await this.reports.duplicate(viewerOf(principal), id));
  }
}
