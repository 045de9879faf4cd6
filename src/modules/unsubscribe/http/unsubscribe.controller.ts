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
import {
  UnsubscribeService,
  type LinkResponse,
  type LinkRequest,
} from '../application/unsubscribe.service.js';
import {
  linkRequestOf,
  PAGE_HEADERS,
  renderInvalidPage,
  renderPreferencePage,
  type Notice,
} from './unsubscribe-page.js';

const TOKEN = {
  name: 'token',
  required: true,
  description: 'The signed token from the email’s link.',
} as const;

const FIELDS = {
  type: 'object',
  properties: {
    'List-Unsubscribe': {
      type: 'string',
      enum: ['One-Click'],
      description: 'Sent by mail programs for one-click unsubscribe.',
    },
    action: {
      type: 'string',
      enum: ['unsubscribe', 'choose', 'pause', 'resume', 'come_back'],
      description: 'Sent by the forms on the page. If omitted, the contact is unsubscribed.',
    },
    shown: {
      type: 'array',
      items: { type: 'string' },
      description: 'For `choose`: keys of the topics shown.',
    },
    topic: {
      type: 'array',
      items: { type: 'string' },
      description: 'For `choose`: keys of the selected topics.',
    },
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
  @ApiOperation({ summary: 'Show the confirmation and preference page; changes nothing' })
  @ApiQuery(TOKEN)
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page with the unsubscribe button and more options.' })
  @ApiResponse({ status: 400, description: 'The same page if the token is missing.' })
  @ApiResponse({ status: 401, description: 'A page that says the link is invalid.' })
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
    summary: 'Unsubscribe the contact; idempotent, supports one-click unsubscribe (RFC 8058)',
    description:
      'The page’s forms send an `action` for smaller changes: choosing topics, pausing mail or resubscribing.',
  })
  @ApiQuery(TOKEN)
  @ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data')
  @ApiBody({ required: false, schema: FIELDS })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A confirmation page.' })
  @ApiResponse({ status: 409, description: 'A page that says the `action` is no longer possible.' })
  @ApiResponse({ status: 429, description: 'A page that says the limit of changes for today is reached.' })
  @ApiErrors('validation_error', 'invalid_token')
  async unsubscribe(
    @Query('token') token: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (typeof token !== 'string') throw missingField('token');
    const linkRequest = linkRequestOf(request.body);
    const { page, refusal } = await this.unsubscribes.perform(
      token,
      linkRequest,
      request.headers['accept-language'],
    );
    if (refusal?.code === 'rate_limit_exceeded')
      reply.header('retry-after', String(refusal.fields.retry_after));
    await show(reply, statusOf(refusal), renderPreferencePage(page, noticeOf(linkRequest, refusal)));
  }
}

function statusOf(refusal: LinkResponse['refusal']): number {
  if (!refusal) return 200;
  return refusal.code === 'rate_limit_exceeded' ? refusal.status : 409;
}

function noticeOf({ kind }: LinkRequest, refusal: LinkResponse['refusal']): Notice | null {
  if (!refusal) return NOTICES[kind];
  return refusal.code === 'rate_limit_exceeded' ? 'tooOften' : 'notNow';
}

async function show(reply: FastifyReply, status: number, html: string): Promise<void> {
  await reply.status(status).headers(PAGE_HEADERS).send(html);
}
