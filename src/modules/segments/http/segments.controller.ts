/** REST endpoint of segments, section 4.10. */
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { SegmentEvaluationService } from '../application/segment-evaluation.service.js';
import { SegmentEvaluationOutput } from '../output/segment.output.js';

@ApiTags('segments')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/segments')
export class SegmentsController {
  constructor(private readonly evaluation: SegmentEvaluationService) {}

  @Post(':id/evaluate')
  @HttpCode(200)
  @Requires({ permission: 'segments:read', keyScopes: ['data'] })
  @ApiOperation({
    summary:
      'Count the contacts currently in a segment and return the IDs of the newest; 30 requests per minute',
  })
  @ApiOkResponse({ type: SegmentEvaluationOutput })
  @ApiErrors('segment_not_found', 'segment_too_costly', 'rate_limit_exceeded')
  async evaluate(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(SegmentEvaluationOutput, await this.evaluation.evaluate(scopeOf(principal), id));
  }
}
