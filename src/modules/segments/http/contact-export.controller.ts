/**
 * POST /v1/contacts/export, section 4.10: contacts as a file. It is in this module because it may export a segment.
 */
import { Body, Controller, HttpCode, Post, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactExportService } from '../../contacts/application/contact-export.service.js';
import { SegmentEvaluationService } from '../application/segment-evaluation.service.js';
import { ContactExportInput } from '../input/contact-export.input.js';

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

@ApiTags('contacts')
@Controller('v1/contacts')
export class ContactExportController {
  constructor(
    private readonly exports: ContactExportService,
    private readonly segments: SegmentEvaluationService,
  ) {}

  @Post('export')
  @HttpCode(200)
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  @ApiOperation({
    summary: 'Export all contacts or the members of a segment as CSV or JSON',
    description:
      'Streamed, oldest contact first. Deleted contacts are excluded. In CSV, text that a spreadsheet would ' +
      'interpret as a formula (starting with = + - @, tab or carriage return) is prefixed with an apostrophe.',
  })
  @ApiProduces('text/csv', 'application/json')
  @ApiOkResponse({ description: 'The exported file.', schema: { type: 'string', format: 'binary' } })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'missing_permission',
    'insufficient_scope',
    'segment_not_found',
    'work_too_costly',
  )
  async export(
    @CurrentPrincipal() principal: Principal,
    @Body() { format, segmentId }: ContactExportInput,
  ): Promise<StreamableFile> {
    const scope = scopeOf(principal);
    const contacts = segmentId === undefined ? undefined : await this.segments.condition(scope, segmentId);
    return new StreamableFile(await this.exports.stream(scope, format, contacts), {
      type: TYPES[format],
      disposition: `attachment; filename="contacts.${format}"`,
    });
  }
}
