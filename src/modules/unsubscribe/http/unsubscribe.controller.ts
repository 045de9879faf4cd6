/** GET and POST /v1/public/unsubscribe, section 4.8; POST also serves one-click unsubscribe, RFC 8058. */
import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, missingField } from '../../../kernel/domain-error.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { Public } from '../../access/public.decorator.js';
import { languageFor } from '../../preferences/domain/language.js';
import { UNSUBSCRIBE_PATH } from '../domain/unsubscribe-token.js';
import { UnsubscribeService, type Answered, type LinkRequest } from '../application/unsubscribe.service.js';
import { linkRequestOf } from './link-request.js';
import { PAGE_HEADERS, renderInvalidPage, renderPreferencePage, type Notice } from './unsubscribe-page.js';

const TOKEN = {
  name: 'token',
  required: true,
  description: "The signed token of the email's link.",
} as const;

const FIELDS = {
  type: 'object',
  properties: {
    'List-Unsubscribe': { type: 'string', enum: ['One-Click'], description: 'What mail programs send.' },
    action: {
      type: 'string',
      enum: ['unsubscribe', 'choose', 'pause', 'resume', 'come_back'],
      description: 'What the page’s own forms send; without it the contact is unsubscribed.',
    },
    shown: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of `choose`: keys of the topics shown.',
    },
    topic: { type: 'array', items: { type: 'string' }, description: 'Of `choose`: those that are wanted.' },
  },
};

const NOTICES: Readonly<Record<LinkRequest['kind'], Notice | null>> = {
  unsubscribe: null,
  choose: 'saved',
  pause: 'paused',
  resume: 'resumed',
  come_back: 'welcome',
};

@ApiTags('Unsubscribe')
@Controller(UNSUBSCRIBE_PATH.slice(1))
export class UnsubscribeController {
  constructor(private readonly unsubscribes: UnsubscribeService) {}

  @Get()
  @Public()
  @ApiOperation({ summary: 'Confirmation and preference page; changes nothing' })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page with the button that unsubscribes, and further choices.' })
  @ApiResponse({ status: 400, description: 'The same where there is no token.' })
  @ApiResponse({ status: 401, description: 'A page that says that the link is not valid.' })
  @ApiErrors('rate_limit_exceeded')
  async question(
    @Query('token') token: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const accepted = request.headers['accept-language'];
    const invalid = (status: number): Promise<void> =>
      show(reply, status, renderInvalidPage(languageFor(null, accepted)));
    if (typeof token !== 'string') return invalid(400);
    try {
      await show(reply, 200, renderPreferencePage(await this.unsubscribes.page(token, accepted), null));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_token') throw error;
      await invalid(error.status);
    }
  }

  @Post()
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: 'Unsubscribe the contact; idempotent, also one-click (RFC 8058)',
    description:
      'The forms of the page ask for less by their `action`: choosing topics, a pause, or coming back.',
  })
  @ApiQuery(TOKEN)
  @ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data')
  @ApiBody({ required: false, schema: FIELDS })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'It is done; a page that says so.' })
  @ApiResponse({ status: 409, description: 'A page that says that its `action` is not possible any more.' })
  @ApiResponse({ status: 429, description: 'A page that says that too much was changed today.' })
  @ApiErrors('validation_error', 'invalid_token')
  async unsubscribe(
    @Query('token') token: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (typeof token !== 'string') throw missingField('token');
    const asked = linkRequestOf(request.body);
    const { page, refusal } = await this.unsubscribes.answer(
      token,
      asked,
      request.headers['accept-language'],
    );
    if (refusal?.code === 'rate_limit_exceeded')
      reply.header('retry-after', String(refusal.fields.retry_after));
    await show(reply, statusOf(refusal), renderPreferencePage(page, noticeOf(asked, refusal)));
  }
}

function statusOf(refusal: Answered['refusal']): number {
  if (!refusal) return 200;
  return refusal.code === 'rate_limit_exceeded' ? refusal.status : 409;
}

function noticeOf({ kind }: LinkRequest, refusal: Answered['refusal']): Notice | null {
  if (!refusal) return NOTICES[kind];
  return refusal.code === 'rate_limit_exceeded' ? 'tooOften' : 'notNow';
}

async function show(reply: FastifyReply, status: number, html: string): Promise<void> {
  await reply.status(status).headers(PAGE_HEADERS).send(html);
}
