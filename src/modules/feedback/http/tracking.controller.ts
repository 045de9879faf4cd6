/**
 * GET /t/c and /t/o: the targets of tracked links and images. They are not part of the REST interface, since only
 * mail clients and browsers use them; like the page of an unsubscribe link they need no credentials except their
 * token.
 */
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Public } from '../../access/public.decorator.js';
import { languageFor } from '../../preferences/domain/language.js';
import { TrackingLinks } from '../../tracking/application/tracking-links.js';
import { CLICK_PATH, OPEN_PATH } from '../../tracking/domain/tracked-html.js';
import type { Tracked } from '../../tracking/domain/tracking-token.js';
import { PAGE_HEADERS, renderInvalidPage } from '../../unsubscribe/http/unsubscribe-page.js';
import { TrackedVisits } from '../application/tracked-visits.js';

/** A transparent GIF of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const HEADERS = {
  'cache-control': 'no-store, max-age=0',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** Headers by which browsers and previews mark a prefetch. */
const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const;

@ApiExcludeController()
@Controller()
export class TrackingController {
  constructor(
    private readonly links: TrackingLinks,
    private readonly visits: TrackedVisits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get(CLICK_PATH)
  @Public()
  async click(
    @Query('t') token: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const tracked = this.read(token);
    if (tracked?.kind !== 'click') {
      const page = renderInvalidPage(languageFor(null, request.headers['accept-language']));
      await reply.status(404).headers(PAGE_HEADERS).send(page);
      return;
    }
    await this.recordVisit(tracked, request);
    await reply.status(302).headers(HEADERS).header('location', tracked.target).send();
  }

  @Get(OPEN_PATH)
  @Public()
  async open(
    @Query('t') token: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const tracked = this.read(token);
    if (tracked?.kind !== 'open') {
      await reply.status(404).headers(HEADERS).send();
      return;
    }
    await this.recordVisit(tracked, request);
    // Mail clients show images of other origins only if these allow it.
    await reply
      .status(200)
      .headers({ ...HEADERS, 'content-type': 'image/gif', 'cross-origin-resource-policy': 'cross-origin' })
      .send(PIXEL);
  }

  private read(token: unknown): Tracked | undefined {
    return typeof token === 'string' ? this.links.read(token) : undefined;
  }

  /**
   * Records a visit. A person is redirected even if this fails; prefetches that the browser announces are not
   * recorded.
   */
  private async recordVisit(tracked: Tracked, { headers, method }: FastifyRequest): Promise<void> {
    if (headers['dnt'] === '1' || headers['sec-gpc'] === '1') return;
    const isPrefetch = PREFETCH_HEADERS.some((name) =>
      /prefetch|preview|prerender/i.test(String(headers[name] ?? '')),
    );
    try {
      await this.visits.record(tracked, { userAgent: headers['user-agent'], method, isPrefetch }, Date.now());
    } catch (error) {
      const { scope, messageId } = tracked;
      this.logger.warn({ err: error, ...scope, emailLogId: messageId }, 'An open or click was not recorded');
    }
  }
}
