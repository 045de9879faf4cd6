/** REST of reports' links, section 4.4: making and revoking them. */
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportShares } from '../application/report-shares.service.js';
import { viewerOf } from '../domain/report-access.js';
import { daysOfLink, ShareReportInput } from '../input/report-share.input.js';
import { presentShareLink, ReportShareLinkResponse } from './report.presenter.js';

const WRITE = { permission: 'analytics:read', keyScopes: ['reporting'], isWriting: true } as const;

@ApiTags('reports')
@ApiErrors(
  'missing_permission',
  'insufficient_scope',
  'insufficient_role',
  'template_report_read_only',
  'report_not_found',
  'workspace_suspended',
)
@Controller('v1/reports/:id/share')
export class ReportSharesController {
  constructor(private readonly shares: ReportShares) {}

  @Post()
  @Requires(WRITE)
  @ApiOperation({
    summary: 'Make the link of a report, in place of the one that it has',
    description:
      'Whoever has the link sees the report with data of the environment in which it is made. Its token is shown this once.',
  })
  @ApiCreatedResponse({ type: ReportShareLinkResponse })
  @ApiErrors('invalid_field')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: ShareReportInput,
  ): Promise<ReportShareLinkResponse> {
    return presentShareLink(await this.shares.create(viewerOf(principal), id, daysOfLink(input)));
  }

  @Delete()
  @HttpCode(204)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Revoke the link of a report' })
  @ApiNoContentResponse({ description: 'The link opens nothing any more.' })
  @ApiErrors('share_link_not_found')
  async revoke(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.shares.revoke(viewerOf(principal), id);
  }
}
