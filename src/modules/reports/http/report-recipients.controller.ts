/**
 * The endpoints behind links in report emails: they stop or confirm a report for one recipient. Stopping is one-click,
 * RFC 8058.
 */
import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { Public } from '../../access/public.decorator.js';
import { RecipientDecisions } from '../application/recipient-decisions.js';
import { CONFIRM_PATH, STOP_PATH, type LinkKind } from '../application/recipient-links.js';
import { PAGE_HEADERS, renderInvalidLink, renderRecipientPage } from './recipient-page.js';

const TOKEN = {
  name: 'token',
  required: true,
  description: 'The signed token from the email’s link.',
} as const;
const DONE = { status: 200, description: 'A confirmation page.' } as const;
const INVALID = { status: 401, description: 'A page that says the link is invalid.' } as const;

@ApiTags('Reports')
@Controller()
export class ReportRecipientsController {
  constructor(private readonly decisions: RecipientDecisions) {}

  @Get(STOP_PATH)
  @Public()
  @ApiOperation({ summary: 'Show a page that asks whether to stop a scheduled report; changes nothing' })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page with a confirmation button.' })
  @ApiResponse(INVALID)
  @ApiErrors('rate_limit_exceeded')
  async stopQuestion(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, 'stop', token, false);
  }

  @Post(STOP_PATH)
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary:
      'Stop a scheduled report for its recipient; idempotent, supports one-click unsubscribe (RFC 8058)',
    description: 'The request body is ignored. Contacts and their subscriptions do not change.',
  })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse(DONE)
  @ApiResponse(INVALID)
  @ApiErrors('rate_limit_exceeded')
  async stop(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, 'stop', token, true);
  }

  @Get(CONFIRM_PATH)
  @Public()
  @ApiOperation({ summary: 'Show a page that asks whether to receive a scheduled report; changes nothing' })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page with a confirmation button.' })
  @ApiResponse(INVALID)
  @ApiErrors('rate_limit_exceeded')
  async confirmQuestion(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, 'confirm', token, false);
  }

  @Post(CONFIRM_PATH)
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'Confirm a scheduled report, or receive it again after stopping it; idempotent' })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse(DONE)
  @ApiResponse(INVALID)
  @ApiErrors('rate_limit_exceeded')
  async confirm(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, 'confirm', token, true);
  }

  private async answer(reply: FastifyReply, kind: LinkKind, token: unknown, isDone: boolean): Promise<void> {
    const text = typeof token === 'string' ? token : '';
    try {
      const page = isDone ? await this.decisions.decide(kind, text) : await this.decisions.page(kind, text);
      await sendPage(reply, 200, renderRecipientPage(kind, page, isDone));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_token') throw error;
      await sendPage(reply, error.status, renderInvalidLink());
    }
  }
}

async function sendPage(reply: FastifyReply, status: number, html: string): Promise<void> {
  await reply.status(status).headers(PAGE_HEADERS).send(html);
}
