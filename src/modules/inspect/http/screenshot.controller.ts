/** GET /v1/inspect/screenshots/{token}: serves the screenshots of runs, section 4.7. */
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { Public } from '../../access/public.decorator.js';
import { Screenshots } from '../application/screenshots.js';

const JPEG = 'image/jpeg';
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  // Dashboards of other origins show it.
  'cross-origin-resource-policy': 'cross-origin',
};

@ApiTags('inspect')
@Controller('v1/inspect/screenshots')
export class ScreenshotController {
  constructor(private readonly screenshots: Screenshots) {}

  @Get(':token')
  @Public()
  @ApiOperation({
    summary: 'Get a screenshot of a run',
    description:
      'No credentials needed: the link contains a token that is valid for one hour. Retrieve the run again for ' +
      'new links.',
  })
  @ApiProduces(JPEG)
  @ApiOkResponse({ content: { [JPEG]: { schema: { type: 'string', format: 'binary' } } } })
  @ApiErrors('screenshot_not_found', 'rate_limit_exceeded')
  async show(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { mediaType, image } = await this.screenshots.find(token);
    const headers = { ...HEADERS, 'content-type': mediaType };
    await reply.status(200).headers(headers).send(Buffer.from(image));
  }
}
