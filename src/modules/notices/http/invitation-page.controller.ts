/** GET /invitations/{id}: the link in an invitation mail. */
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Public } from '../../access/public.decorator.js';
import { INVITATION_PATH } from '../domain/notice-content.js';
import { PAGE_HEADERS, renderInvitationPage } from './invitation-page.js';

@ApiExcludeController()
@Controller(INVITATION_PATH.slice(1))
export class InvitationPageController {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {}

  @Get(':id')
  @Public()
  async page(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!isUuid(id)) throw new DomainError('not_found', 'No such page exists.');
    await reply.status(200).headers(PAGE_HEADERS).send(renderInvitationPage(this.config.baseUrl, id));
  }
}
