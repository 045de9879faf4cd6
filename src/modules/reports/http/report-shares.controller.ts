/** REST endpoints that create and revoke share links of reports, section 4.4. */
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportShares } from '../application/report-shares.service.js';
import { viewerOf } from '../domain/report-access.js';
import { daysOfLink, ShareReportInput } from '../input/report-share.input.js';
import { ReportShareLinkOutput } from '../output/report.output.js';

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
    summary: 'Create a share link for a report, replacing any existing one',
    description:
      'Anyone with the link can view the report with data of the environment in which the link was created. ' +
      'The token is returned only once.',
  })
  @ApiCreatedResponse({ type: ReportShareLinkOutput })
  @ApiErrors('invalid_field')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: ShareReportInput,
  ): Promise<object> {
    return restOf(
      ReportShareLinkOutput,
      await this.shares.create(viewerOf(principal), id, daysOfLink(input)),
    );
  }

  @Delete()
  @HttpCode(204)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Revoke the share link of a report' })
  @ApiNoContentResponse({ description: 'The share link was revoked.' })
  @ApiErrors('share_link_not_found')
  async revoke(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.shares.revoke(viewerOf(principal), id);
  }
}
