/** REST of preflight, section 4.3. */
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreflightService } from '../application/preflight.service.js';
import { PreflightOutput } from '../output/preflight.output.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/templates')
export class TemplatePreflightController {
  constructor(private readonly preflights: PreflightService) {}

  @Post(':slug/preflight')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Check a template before it is sent: content, links, images, domain and accessibility',
    description: 'Checks the stored content only. No links are opened and no images are loaded.',
  })
  @ApiOkResponse({ type: PreflightOutput })
  @ApiErrors('template_not_found', 'work_too_costly')
  async preflight(@CurrentPrincipal() principal: Principal, @Param('slug') slug: string): Promise<object> {
    return restOf(PreflightOutput, await this.preflights.checkTemplate(scopeOf(principal), slug));
  }
}
