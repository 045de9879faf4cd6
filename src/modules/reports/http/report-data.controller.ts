/** REST endpoints of report data: saved reports, ad hoc queries, the available fields, and files; section 4.4. */
import { Body, Controller, Get, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportDataService } from '../application/report-data.service.js';
import { ReportService } from '../application/report.service.js';
import { configFrom } from '../input/report-config.input.js';
import { ReportDataQuery, ReportPeriodQuery, ReportQueryInput } from '../input/report-query.input.js';
import { dataSources } from '../domain/fields.js';
import { viewerOf } from '../domain/report-access.js';
import { reportDataInRest, ReportDataOutput } from '../output/report-data.output.js';
import { ReportFieldsOutput } from '../output/report-fields.output.js';

const READ = { permission: 'analytics:read', keyScopes: ['reporting'] } as const;
const CSV = 'text/csv; charset=utf-8';
const EXAMPLE = `Date,Sent,Open rate
2026-03-01,120,41.67
`;

@ApiTags('reports')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/reports')
export class ReportDataController {
  constructor(
    private readonly data: ReportDataService,
    private readonly reports: ReportService,
  ) {}

  @Get('fields')
  @Requires(READ)
  @ApiOperation({ summary: 'List the metrics, dimensions and filters of each data source' })
  @ApiOkResponse({ type: ReportFieldsOutput })
  fields(): object {
    return restOf(ReportFieldsOutput, { dataSources: dataSources() });
  }

  /** Read-only, so that it works in a suspended workspace too. */
  @Post('query')
  @HttpCode(200)
  @Requires(READ)
  @ApiOperation({
    summary: 'Run a report config without saving it',
    description: 'Results are not cached and nothing is saved.',
  })
  @ApiOkResponse({ type: ReportDataOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'invalid_date_param',
    'work_too_costly',
    'service_unavailable',
  )
  async query(
    @CurrentPrincipal() principal: Principal,
    @Body() { config, ...request }: ReportQueryInput,
  ): Promise<object> {
    return reportDataInRest(await this.data.query(scopeOf(principal), configFrom(config), request));
  }

  @Get(':id/data')
  @Requires(READ)
  @ApiOperation({
    summary: 'Get the data of a report',
    description:
      'Data of the caller’s environment, cached for five minutes per period. At most 1,000 rows; totals cover ' +
      'all rows.',
  })
  @ApiOkResponse({ type: ReportDataOutput })
  @ApiErrors(
    'report_not_found',
    'invalid_field',
    'invalid_date_param',
    'work_too_costly',
    'service_unavailable',
  )
  async ofReport(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() request: ReportDataQuery,
  ): Promise<object> {
    const report = await this.reports.get(viewerOf(principal), id);
    return reportDataInRest(await this.data.ofReport(scopeOf(principal), report, request));
  }

  @Get(':id/export/csv')
  @Requires(READ)
  @ApiOperation({
    summary: 'Export all rows of a report as CSV',
    description:
      'A header row of labels, unformatted numbers, and names instead of IDs of flows, campaigns and templates.',
  })
  @ApiProduces(CSV)
  @ApiOkResponse({ content: { [CSV]: { schema: { type: 'string' }, example: EXAMPLE } } })
  @ApiErrors(
    'report_not_found',
    'invalid_field',
    'invalid_date_param',
    'work_too_costly',
    'service_unavailable',
  )
  async csv(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() request: ReportPeriodQuery,
  ): Promise<StreamableFile> {
    const report = await this.reports.get(viewerOf(principal), id);
    const { name, content } = await this.data.csv(scopeOf(principal), report, request);
    return new StreamableFile(content, { type: CSV, disposition: `attachment; filename="${name}"` });
  }
}
