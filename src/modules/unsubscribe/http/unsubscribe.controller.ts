/** GET and POST /v1/public/unsubscribe, section 4.8; POST also serves one-click unsubscribe, RFC 8058. */
import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiProduces, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DomainError, missingField } from '../../../kernel/domain-error.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { Public } from '../../access/public.decorator.js';
import { UNSUBSCRIBE_PATH } from '../application/unsubscribe-links.js';
import { UnsubscribeService, type UnsubscribePage } from '../application/unsubscribe.service.js';
import { PAGE_HEADERS, renderUnsubscribePage } from './unsubscribe-page.js';

const TOKEN = {
  name: 'token',
  required: true,
  description: "The signed token of the email's link.",
} as const;

@ApiTags('Unsubscribe')
@Controller(UNSUBSCRIBE_PATH.slice(1))
export class UnsubscribeController {
  constructor(private readonly unsubscribes: UnsubscribeService) {}

  @Get()
  @Public()
  @ApiOperation({ summary: 'Confirmation page; changes nothing' })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page with the button that unsubscribes.' })
  @ApiResponse({ status: 401, description: 'A page that says that the link is not valid.' })
  async question(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    if (typeof token !== 'string') return show(reply, 400, { kind: 'invalid' });
    try {
      await show(reply, 200, await this.unsubscribes.question(token));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_token') throw error;
      await show(reply, error.status, { kind: 'invalid' });
    }
  }

  @Post()
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'Unsubscribe the contact; idempotent, also one-click (RFC 8058)' })
  @ApiQuery(TOKEN)
  @ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data')
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'The contact is unsubscribed; a page that says so.' })
  @ApiErrors('validation_error', 'invalid_token')
  async unsubscribe(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    if (typeof token !== 'string') throw missingField('token');
    await show(reply, 200, await this.unsubscribes.unsubscribe(token));
  }
}

async function show(reply: FastifyReply, status: number, page: UnsubscribePage): Promise<void> {
  await reply.status(status).headers(PAGE_HEADERS).send(renderUnsubscribePage(page));
}
