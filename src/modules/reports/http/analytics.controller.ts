/** REST endpoints of analytics, section 4.10. */
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { AnalyticsExportService } from '../application/analytics-export.service.js';
import { DateRangeQuery } from '../../../platform/input/date-range.input.js';

const CSV = 'text/csv; charset=utf-8';

const EXAMPLE = `date,source_type,source_id,source_name,sent,delivered,opened,clicked,bounced,complained,suppressed
2026-03-01,flow,0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface,Onboarding,120,0,0,0,0,0,3
`;

@ApiTags('analytics')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/analytics')
export class AnalyticsController {
  constructor(private readonly exports: AnalyticsExportService) {}

  @Get('export')
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  @ApiOperation({
    summary: 'Export email outcomes as CSV',
    description:
      'One row per UTC day and flow or campaign with messages sent or suppressed; `direct` is for messages of ' +
      'neither. Sent messages count on the day they were sent, suppressed messages on the day that was ' +
      'decided. At most 5 requests per hour.',
  })
  @ApiProduces(CSV)
  @ApiOkResponse({ content: { [CSV]: { schema: { type: 'string' }, example: EXAMPLE } } })
  @ApiErrors('invalid_date_param', 'invalid_field', 'work_too_costly')
  async export(
    @CurrentPrincipal() principal: Principal,
    @Query() query: DateRangeQuery,
  ): Promise<StreamableFile> {
    const { name, content } = await this.exports.csv(scopeOf(principal), query);
    return new StreamableFile(content, { type: CSV, disposition: `attachment; filename="${name}"` });
  }
}
