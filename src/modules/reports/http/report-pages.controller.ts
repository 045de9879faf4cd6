/** The HTML pages of a report: for printing, and for share links; section 4.4. */
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Public } from '../../access/public.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportDataService } from '../application/report-data.service.js';
import { ReportShares } from '../application/report-shares.service.js';
import { ReportService } from '../application/report.service.js';
import { viewerOf } from '../domain/report-access.js';
import { ReportPeriodQuery } from '../input/report-query.input.js';
import { reportDataInRest, ReportDataOutput } from '../output/report-data.output.js';
import { acceptsHtml } from './accepts-html.js';
import { missingPage, type Page, reportPage, SHARED_HEADERS } from './report-page.js';

const HTML = 'text/html';

@ApiTags('reports')
@Controller('v1/reports')
export class ReportPagesController {
  constructor(
    private readonly reports: ReportService,
    private readonly shares: ReportShares,
    private readonly data: ReportDataService,
  ) {}

  @Get(':id/export/pdf')
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'Get a report as a page to print or save as PDF',
    description:
      'A page that opens the browser’s print dialog, with totals and their change from the previous period, ' +
      'the chart, and at most 100 rows. It loads no external resources.',
  })
  @ApiProduces(HTML)
  @ApiOkResponse({ content: { [HTML]: { schema: { type: 'string' } } } })
  @ApiErrors(
    'missing_permission',
    'insufficient_scope',
    'report_not_found',
    'invalid_field',
    'invalid_date_param',
    'service_unavailable',
  )
  async printable(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() request: ReportPeriodQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const report = await this.reports.get(viewerOf(principal), id);
    const data = await this.data.ofReport(scopeOf(principal), report, { ...request, compare: true });
    await sendPage(reply, 200, reportPage(report, data, 'print'));
  }

  @Get('shared/:token')
  @Public()
  @ApiOperation({
    summary: 'View a shared report, as data or as a page',
    description:
      'No credentials needed: the link contains the token. Shows the report’s default period and nothing else ' +
      'of the workspace.',
  })
  @ApiHeader({ name: 'Accept', required: false, description: '`text/html` for the page; otherwise JSON.' })
  @ApiResponse({
    status: 200,
    description: 'The data of the report, or a page with its chart and table.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ReportDataOutput) } },
      [HTML]: { schema: { type: 'string' } },
    },
  })
  @ApiErrors('share_link_not_found', 'share_link_expired', 'rate_limit_exceeded', 'service_unavailable')
  async shared(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isPage = acceptsHtml(request.headers.accept);
    reply.headers({ ...SHARED_HEADERS, vary: 'accept' });
    try {
      const { scope, report } = await this.shares.find(token);
      const data = await this.data.ofReport(scope, report, {});
      if (isPage) await sendPage(reply, 200, reportPage(report, data, 'shared'));
      else await reply.status(200).send(reportDataInRest(data));
    } catch (error) {
      if (!isPage || !(error instanceof DomainError)) throw error;
      const { retry_after: seconds } = error.fields;
      if (seconds !== undefined) reply.header('retry-after', String(Math.ceil(seconds)));
      await sendPage(reply, error.status, pageOf(error));
    }
  }
}

function pageOf({ code }: DomainError): Page {
  switch (code) {
    case 'share_link_expired':
      return missingPage('This link has expired', 'Please ask the person who sent it to you for a new one.');
    case 'share_link_not_found':
      return missingPage(
        'Report not found',
        'The link may be incomplete, or the report is no longer shared. Please ask the person who sent it to you.',
      );
    default:
      return missingPage('This report is unavailable', 'Please try again in a moment.');
  }
}

async function sendPage(reply: FastifyReply, status: number, { headers, html }: Page): Promise<void> {
  await reply.status(status).headers(headers).send(html);
}
